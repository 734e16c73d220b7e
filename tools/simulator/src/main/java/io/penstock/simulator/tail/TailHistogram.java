/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.tail;

/** Counts latencies compactly with a precision of 0.05 %, by the leading bits of their seconds. */
final class TailHistogram {
  private static final int DROPPED_BITS = 12;

  private final int[] counts = new int[1 << (31 - DROPPED_BITS)];
  private long total;
  private long maxNanos;
  private long over5;
  private long over10;
  private long over30;
  private long over60;

  void add(long nanos) {
    counts[Float.floatToIntBits((float) (nanos / 1e9)) >>> DROPPED_BITS]++;
    total++;
    maxNanos = Math.max(maxNanos, nanos);
    over5 += nanos > 5_000_000_000L ? 1 : 0;
    over10 += nanos > 10_000_000_000L ? 1 : 0;
    over30 += nanos > 30_000_000_000L ? 1 : 0;
    over60 += nanos > 60_000_000_000L ? 1 : 0;
  }

  /** Returns the latency that this share of the requests does not exceed. */
  double seconds(double quantile) {
    long rank = Math.max(1, (long) Math.ceil(quantile * total));
    long below = 0;
    for (int i = 0; i < counts.length; i++) {
      below += counts[i];
      if (below >= rank) {
        return Float.intBitsToFloat(i << DROPPED_BITS);
      }
    }
    return 0;
  }

  double maxSeconds() {
    return maxNanos / 1e9;
  }

  Spread spread() {
    return new Spread(
        1000 * seconds(0.25),
        1000 * seconds(0.5),
        1000 * seconds(0.95),
        (double) over5,
        (double) over10,
        (double) over30,
        (double) over60);
  }
}
