/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** What S3's REST interface says: which operation a request is, and what an error looks like. */
package io.penstock.emulator.api;
