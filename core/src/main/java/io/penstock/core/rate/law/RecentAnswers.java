/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.law;

import java.util.Arrays;

/** Counts the answers of the last second, in bins of a quarter of a second. */
public final class RecentAnswers {
  /** The bins cover one second; each new bin replaces the oldest quarter. */
  private static final int BINS = 4;

  private static final double BIN_SECONDS = 0.25;

  private final double[] ok = new double[BINS];
  private final double[] throttled = new double[BINS];
  private long bin;
  private double firstSeconds = Double.NaN;

  public void add(double nowSeconds, double good, double bad) {
    if (all(nowSeconds) == 0) {
      firstSeconds = nowSeconds;
    }
    ok[(int) (bin % BINS)] += good;
    throttled[(int) (bin % BINS)] += bad;
  }

  public double throttled(double nowSeconds) {
    advance(nowSeconds);
    return sum(throttled);
  }

  public double all(double nowSeconds) {
    advance(nowSeconds);
    return sum(ok) + sum(throttled);
  }

  /**
   * Returns the answers per second that were not throttled, over the time since the first of them
   * but at least a quarter of a second.
   */
  double okPerSecond(double nowSeconds) {
    advance(nowSeconds);
    return sum(ok) / span(nowSeconds);
  }

  /**
   * Returns the answers per second. If there was none in the second before them, those are left out
   * that the store could give because it had saved up for them.
   */
  double sustainedPerSecond(double nowSeconds) {
    double all = all(nowSeconds);
    // Answers of other threads may have been counted with a later time.
    double sinceFirst = Math.max(0, nowSeconds - firstSeconds);
    return sinceFirst < BINS * BIN_SECONDS
        ? all / (sinceFirst + RateLaw.SAVED_SECONDS)
        : all / span(nowSeconds);
  }

  private double span(double nowSeconds) {
    double start =
        all(nowSeconds) == 0 ? nowSeconds : Math.max(firstSeconds, (bin - BINS + 1) * BIN_SECONDS);
    return Math.max(BIN_SECONDS, nowSeconds - start);
  }

  /** Returns the throttled share of the answers, in [0, 1]; 0 if there is no answer. */
  public double throttledShare(double nowSeconds) {
    double all = all(nowSeconds);
    return all == 0 ? 0 : sum(throttled) / all;
  }

  private void advance(double nowSeconds) {
    long now = Math.max(bin, (long) (nowSeconds / BIN_SECONDS));
    if (now - bin >= BINS) {
      Arrays.fill(ok, 0);
      Arrays.fill(throttled, 0);
    } else {
      for (long next = bin + 1; next <= now; next++) {
        ok[(int) (next % BINS)] = 0;
        throttled[(int) (next % BINS)] = 0;
      }
    }
    bin = now;
  }

  private static double sum(double[] bins) {
    return bins[0] + bins[1] + bins[2] + bins[3];
  }
}
