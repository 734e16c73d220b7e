/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.whatif;

/**
 * The published benchmark of retry policies: one job that copies 2.7 TiB into one prefix of a
 * bucket on 1,600 cores, with five file sizes, each with exponential backoff and with AIMD. Source:
 * AWS, EMR best practices, "EMRFS - AIMD Retry Strategy", the table of its results. (The text of
 * that page differs from its table in two places; the table has the measured values.) Throttled
 * shares are shares of the writes, as in that table.
 */
public final class Published {
  /**
   * A pair of runs with the same files, one with backoff and one with AIMD.
   *
   * @param files the number of files written
   * @param fileMib mean size of a file, MiB
   * @param requests all requests of the run with backoff
   * @param throttledPercent throttled share of the writes with backoff
   * @param seconds duration of the job with backoff
   * @param aimdSeconds duration of the job with AIMD
   */
  record Pair(
      int files,
      double fileMib,
      int requests,
      double throttledPercent,
      double seconds,
      double aimdSeconds) {
    double aimdPercent() {
      return (aimdSeconds / seconds - 1) * 100;
    }
  }

  private static final Pair[] PAIRS = {
    new Pair(21_568, 133, 148_024, 0, 285, 293),
    new Pair(59_024, 49.6, 211_481, 1.04, 325, 374),
    new Pair(116_658, 25.0, 407_172, 6.62, 366, 472),
    new Pair(232_594, 12.6, 850_365, 14.62, 558, 616),
    new Pair(579_158, 5.2, 2_302_686, 23.46, 1_287, 1_138),
  };

  private Published() {}

  /**
   * Returns by how many percent AIMD took longer than backoff, for a share of throttled writes. A
   * negative value means that AIMD was faster.
   */
  public static double aimdPercent(double throttledPercent) {
    double[] x = new double[PAIRS.length];
    double[] y = new double[PAIRS.length];
    for (int i = 0; i < PAIRS.length; i++) {
      x[i] = PAIRS[i].throttledPercent();
      y[i] = PAIRS[i].aimdPercent();
    }
    return between(x, y, throttledPercent);
  }

  /**
   * Returns the throttled share at which AIMD and backoff take the same time, by linear
   * interpolation between two rows.
   */
  public static double breakEvenPercent() {
    // AIMD was slower in the second-last pair, and faster in the last pair.
    Pair below = PAIRS[PAIRS.length - 2];
    Pair above = PAIRS[PAIRS.length - 1];
    double step = above.throttledPercent() - below.throttledPercent();
    return below.throttledPercent()
        + step * below.aimdPercent() / (below.aimdPercent() - above.aimdPercent());
  }

  /** Returns the throttled share of writes in percent, with backoff, for this file size. */
  public static double throttledPercent(double fileMib) {
    return bySize(fileMib, Pair::throttledPercent);
  }

  /** Returns the seconds that the job took with backoff, for this file size. */
  public static double seconds(double fileMib) {
    return bySize(fileMib, Pair::seconds);
  }

  /** Returns true if the size is within the range of measured sizes. */
  public static boolean covers(double fileMib) {
    return fileMib >= PAIRS[PAIRS.length - 1].fileMib() && fileMib <= PAIRS[0].fileMib();
  }

  private static double bySize(double fileMib, java.util.function.ToDoubleFunction<Pair> measure) {
    // Sizes double from row to row, so the interpolation uses their logarithms.
    double[] x = new double[PAIRS.length];
    double[] y = new double[PAIRS.length];
    for (int i = 0; i < PAIRS.length; i++) {
      Pair pair = PAIRS[PAIRS.length - 1 - i];
      x[i] = Math.log(pair.fileMib());
      y[i] = measure.applyAsDouble(pair);
    }
    return between(x, y, Math.log(fileMib));
  }

  /**
   * Returns the value on the line through the points. Outside their range it returns the value of
   * the nearest point, because an extrapolation would be a guess.
   */
  private static double between(double[] x, double[] y, double at) {
    if (!(at > x[0])) {
      return y[0];
    }
    for (int i = 1; i < x.length; i++) {
      if (at <= x[i]) {
        return y[i - 1] + (y[i] - y[i - 1]) * (at - x[i - 1]) / (x[i] - x[i - 1]);
      }
    }
    return y[y.length - 1];
  }
}
