/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.chance;

/**
 * The measured latencies of 10,208,803 part uploads in S3: p25 48 ms, p50 80 ms, p95 880 ms, and
 * 26,602 / 15,866 / 14 / 4 above 5 / 10 / 30 / 60 s. They do not depend on the size. The law is cut
 * into strata of equal probability. One draw from each stratum gives exactly these counts.
 */
public final class LatencyLaw {
  public static final long MEASURED = 10_208_803;

  /** The number of requests that took longer than each limit in {@link #OVER_MILLIS}. */
  private static final long[] OVER = {26_602, 15_866, 14, 4};

  private static final int[] OVER_MILLIS = {5_000, 10_000, 30_000, 60_000};
  private static final int MIN_MILLIS = 5;
  private static final int MAX_MILLIS = 120_000;

  private final long strata;

  /** The first stratum of each piece, and the end of the last piece. */
  private final long[] bounds;

  private final int[] millis;

  /** Creates the law for this number of strata. */
  public LatencyLaw(long strata) {
    this.strata = strata;
    int n = OVER.length;
    this.bounds = new long[4 + n + 1];
    this.millis = new int[4 + n + 1];
    bounds[1] = strata / 4;
    bounds[2] = strata / 2;
    bounds[3] = strata * 95 / 100;
    millis[0] = MIN_MILLIS;
    millis[1] = 48;
    millis[2] = 80;
    millis[3] = 880;
    for (int i = 0; i < n; i++) {
      bounds[4 + i] = strata - over(i, strata);
      millis[4 + i] = OVER_MILLIS[i];
    }
    bounds[4 + n] = strata;
    millis[4 + n] = MAX_MILLIS;
  }

  /** Returns how many of these requests take longer than 5, 10, 30 or 60 s. */
  static long over(int index, long requests) {
    return Math.round((double) OVER[index] * requests / MEASURED);
  }

  /** Returns the number of strata. */
  public long strata() {
    return strata;
  }

  /**
   * Returns the slowest stratum that is not above 30 s. In a small set without latencies above 10 s
   * this stratum is faster.
   */
  public long slowestBelowHalfAMinute() {
    return bounds[6] - 1;
  }

  /**
   * Returns the latency at a place within a stratum. Interpolates linearly on a logarithmic axis
   * between two points.
   *
   * @param place in [0, 1)
   */
  public int millis(long stratum, double place) {
    int piece = 0;
    while (stratum >= bounds[piece + 1]) {
      piece++;
    }
    int from = millis[piece];
    int to = millis[piece + 1];
    double way = (stratum - bounds[piece] + place) / (bounds[piece + 1] - bounds[piece]);
    double value = from * StrictMath.exp(way * StrictMath.log((double) to / from));
    // A latency that counts as above a limit must be at least one millisecond above it.
    return from < OVER_MILLIS[0]
        ? (int) Math.min(to, Math.max(from, Math.round(value)))
        : Math.min(to, Math.max(from + 1, (int) value + 1));
  }
}
