/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Writes the requests as an S3 server access log. */
package io.penstock.loggen.accesslog;
