/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The port to S3, its values and its failures. Imports nothing else of Penstock. */
package io.penstock.core.store;
