/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The port to S3, its values and its failures. Of Penstock it imports only the configuration, for
 * the provider.
 */
package io.penstock.core.store;
