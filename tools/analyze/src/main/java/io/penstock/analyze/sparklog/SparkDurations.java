/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import java.util.Arrays;

/**
 * A latency histogram that returns quantiles and needs little memory. Quantiles are exact below 128
 * ms and within 1 % above. The maximum is exact.
 */
final class SparkDurations {
  private static final int EXACT = 128;
  private static final int EXACT_BITS = 7;
  private static final int STEPS_BITS = 6;

  private int[] counts = new int[EXACT];
  private long total;
  private long longest;

  void add(long millis) {
    int index = index(millis);
    if (index >= counts.length) {
      counts = Arrays.copyOf(counts, index + (1 << STEPS_BITS));
    }
    counts[index]++;
    total++;
    longest = Math.max(longest, millis);
  }

  /** Returns the smallest duration that is not exceeded by the given share of all durations. */
  double quantile(double share) {
    long rank = Math.max(1, (long) Math.ceil(total * share));
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen >= rank) {
        return Math.min(middle(i), (double) longest);
      }
    }
    return longest;
  }

  double longest() {
    return longest;
  }

  boolean isEmpty() {
    return total == 0;
  }

  private static int index(long millis) {
    if (millis < EXACT) {
      return (int) Math.max(0, millis);
    }
    int bits = Long.SIZE - Long.numberOfLeadingZeros(millis);
    int step = (int) (millis >>> (bits - 1 - STEPS_BITS)) & ((1 << STEPS_BITS) - 1);
    return EXACT + ((bits - 1 - EXACT_BITS) << STEPS_BITS) + step;
  }

  private static double middle(int index) {
    if (index < EXACT) {
      return index;
    }
    int octave = ((index - EXACT) >> STEPS_BITS) + EXACT_BITS;
    int step = (index - EXACT) & ((1 << STEPS_BITS) - 1);
    double width = Math.scalb(1.0, octave - STEPS_BITS);
    return Math.scalb(1.0, octave) + step * width + (width - 1) / 2;
  }
}
