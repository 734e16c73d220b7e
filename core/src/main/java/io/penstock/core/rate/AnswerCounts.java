/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.rate.RateReport.Seen;

/** Counts the answers that the driver was not told of yet. */
final class AnswerCounts {
  private double ok;
  private double throttled;

  void add(double good, double rejected) {
    ok += good;
    throttled += rejected;
  }

  /** Returns what was counted since the last call. */
  Seen take(String prefix, int waiting) {
    Seen seen = new Seen(prefix, ok, throttled, waiting);
    ok = 0;
    throttled = 0;
    return seen;
  }
}
