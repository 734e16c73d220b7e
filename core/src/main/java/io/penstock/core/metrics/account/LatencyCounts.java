/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.metrics.account;

import java.util.Arrays;

/**
 * Counts of attempts by their duration, in steps of a quarter of a doubling: a quantile is exact to
 * 19 %, and a histogram of a kind of request fits into a message of some hundred bytes.
 *
 * @param counts of each step from 0.25 ms on; the first has all shorter ones, the last all longer
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record LatencyCounts(long[] counts) {
  public static final int STEPS = 80; // up to 262 s

  private static final double FIRST_NANOS = 250_000;
  private static final int STEPS_PER_DOUBLING = 4;
  private static final double NANOS_PER_MILLI = 1e6;

  static LatencyCounts none() {
    return new LatencyCounts(new long[STEPS]);
  }

  /** Returns the step of a duration. */
  static int step(long nanos) {
    double doublings = Math.log(Math.max(1, nanos / FIRST_NANOS)) / Math.log(2);
    return Math.min(STEPS - 1, (int) (doublings * STEPS_PER_DOUBLING));
  }

  public LatencyCounts plus(LatencyCounts other) {
    return plus(other, 1);
  }

  LatencyCounts plus(LatencyCounts other, int times) {
    long[] sums = Arrays.copyOf(counts, STEPS);
    for (int i = 0; i < STEPS; i++) {
      sums[i] += times * other.counts[i];
    }
    return new LatencyCounts(sums);
  }

  public long total() {
    return Arrays.stream(counts).sum();
  }

  /**
   * Returns the upper end of the step that has the quantile, in milliseconds; 0 without attempts.
   *
   * @param quantile from 0 to 1
   */
  public double quantileMillis(double quantile) {
    long rank = (long) Math.ceil(quantile * total());
    long seen = 0;
    for (int i = 0; i < STEPS; i++) {
      seen += counts[i];
      if (seen > 0 && seen >= rank) {
        return FIRST_NANOS * Math.pow(2, (i + 1.0) / STEPS_PER_DOUBLING) / NANOS_PER_MILLI;
      }
    }
    return 0;
  }
}
