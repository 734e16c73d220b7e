/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.dns;

/** Counts the answers to a question by their duration, in steps of a fifth. */
final class DnsAnswers {
  private static final double FIRST_MILLIS = 0.01;
  private static final double STEP = Math.log(1.2);

  /** Enough steps for two minutes; no resolver waits longer. */
  private static final int STEPS = 90;

  private final int[] bySteps = new int[STEPS];
  private long queries;
  private long missing;

  void add(DnsLine line) {
    queries++;
    missing += line.isMissing() ? 1 : 0;
    int step =
        (int) Math.ceil(Math.log(Math.max(FIRST_MILLIS, line.millis()) / FIRST_MILLIS) / STEP);
    bySteps[Math.min(STEPS - 1, step)]++;
  }

  void add(DnsAnswers more) {
    queries += more.queries;
    missing += more.missing;
    for (int i = 0; i < STEPS; i++) {
      bySteps[i] += more.bySteps[i];
    }
  }

  long queries() {
    return queries;
  }

  /** Returns the number of answers about names that do not exist. */
  long missing() {
    return missing;
  }

  /**
   * Returns a percentile in milliseconds. It is never less than the true value and at most a fifth
   * more.
   */
  double percentile(double share) {
    long wanted = (long) Math.ceil(share * queries);
    int step = 0;
    long seen = bySteps[0];
    while (step < STEPS - 1 && seen < wanted) {
      step++;
      seen += bySteps[step];
    }
    return FIRST_MILLIS * Math.exp(step * STEP);
  }
}
