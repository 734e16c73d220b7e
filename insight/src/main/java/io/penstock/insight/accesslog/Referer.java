/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.insight.accesslog;

import io.penstock.insight.request.RequestRow;

/** What S3A writes into the referer. */
final class Referer {
  private Referer() {}

  static void read(Fields fields, RequestRow row) {
    // Filled in when the audit package is merged.
  }
}
