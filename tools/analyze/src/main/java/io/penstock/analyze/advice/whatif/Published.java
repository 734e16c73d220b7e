/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.whatif;

/**
 * The published benchmark of retry policies: one job that copies 2.7 TiB into one prefix of a
 * bucket on 1,600 cores, five file sizes, each with exponential backoff and with AIMD. Source: AWS,
 * EMR best practices, "EMRFS - AIMD Retry Strategy", the table of its results. (Its text says
 * otherwise in two places; the table is what was measured.) Throttled shares are of the writes,
 * which is how the table counts.
 */
public final class Published {
  /**
   * A pair of rows.
   *
   * @param files written
   * @param fileMib mean size of a file, MiB
   * @param requests in all, with backoff
   * @param throttledPercent of the writes, with backoff
   * @param seconds the job took with backoff
   * @param aimdSeconds and with AIMD
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
   * Returns how much longer AIMD took, in percent, at a share of throttled writes; less is
   * negative.
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

  /** The throttled share at which AIMD takes as long as backoff, by the line between two rows. */
  public static double breakEvenPercent() {
    // AIMD was slower in the last pair but one, and faster in the last.
    Pair below = PAIRS[PAIRS.length - 2];
    Pair above = PAIRS[PAIRS.length - 1];
    double step = above.throttledPercent() - below.throttledPercent();
    return below.throttledPercent()
        + step * below.aimdPercent() / (below.aimdPercent() - above.aimdPercent());
  }

  /** Throttled writes in percent, with backoff and files of a size. */
  public static double throttledPercent(double fileMib) {
    return bySize(fileMib, Pair::throttledPercent);
  }

  /** Returns how long the job took with backoff and files of a size. */
  public static double seconds(double fileMib) {
    return bySize(fileMib, Pair::seconds);
  }

  /** Returns true if a size lies between those that were measured. */
  public static boolean covers(double fileMib) {
    return fileMib >= PAIRS[PAIRS.length - 1].fileMib() && fileMib <= PAIRS[0].fileMib();
  }

  private static double bySize(double fileMib, java.util.function.ToDoubleFunction<Pair> measure) {
    // Sizes double from row to row, so the line is drawn over their logarithms.
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
   * Returns the value on the line through the points; beyond them that of the last one, not a
   * guess.
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
