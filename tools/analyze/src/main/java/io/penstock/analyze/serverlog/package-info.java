/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The logs of requests that other servers of the S3 protocol write. */
package io.penstock.analyze.serverlog;
