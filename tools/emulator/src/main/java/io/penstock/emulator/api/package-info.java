/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The REST interface of S3: maps a request to its operation, and formats responses and errors. */
package io.penstock.emulator.api;
