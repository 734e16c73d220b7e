/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.rate.report.RateReport.Seen;

/** Counts the answers that are not yet reported to the driver. */
final class AnswerCounts {
  private double ok;
  private double throttled;

  void add(double good, double rejected) {
    ok += good;
    throttled += rejected;
  }

  /** Returns the counts since the last call, and starts again from zero. */
  Seen take(String prefix, int waiting) {
    Seen seen = new Seen(prefix, ok, throttled, waiting);
    ok = 0;
    throttled = 0;
    return seen;
  }
}
