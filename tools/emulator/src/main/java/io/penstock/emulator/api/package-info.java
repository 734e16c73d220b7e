/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Speaks S3's REST interface: which operation a request is, and what an error looks like. */
package io.penstock.emulator.api;
