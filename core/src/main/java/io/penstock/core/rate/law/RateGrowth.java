/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.law;

/**
 * Computes how fast a rate may grow while requests wait for permits. The rate grows fast up to near
 * the best rate of the last two minutes, and slowly from there. The longer it meets no throttling,
 * the faster it grows.
 */
public final class RateGrowth {
  // Tuned on the simulator's scenarios; bench/results/rates.md shows the results.

  /** Growth per second far under the peak. */
  private static final double CLIMB = 0.15;

  /** After this time it is known that the cut was enough; otherwise there was another cut. */
  private static final double CLIMB_AFTER_SECONDS = 1;

  /**
   * Growth per second near the peak. If a rate is above the rate that S3 accepts by this share, S3
   * rejects requests within seconds.
   */
  private static final double GROWTH = 0.03;

  /**
   * Below this rate, in requests a second, the relative growth is smaller. A constant step is
   * added, which makes two requests a second in 100 s.
   */
  private static final double SLOW_RATE = 10;

  private static final double GROWTH_PER_SECOND = 0.02;

  /**
   * After 15 seconds without a cut the growth is a third larger, after 30 seconds more than twice
   * as large.
   */
  private static final double GROWTH_LATER = 0.01;

  private static final double GROWTH_QUIET_SECONDS = 15;

  /** Limit of the growth per second, for rates that were far too low for minutes. */
  private static final double GROWTH_MAX = 0.5;

  private final Peak peak = new Peak();
  private double limitedSeconds;

  /**
   * Starts the count of seconds again: the rate has been set from outside, so nothing shows yet if
   * it is too low.
   */
  public void restart() {
    limitedSeconds = 0;
  }

  /** Sets the peak to at least this rate, which was observed before there was a cap. */
  public void seen(double ratePerSecond) {
    peak.seen(ratePerSecond);
  }

  /**
   * Returns the rate after a time in which requests waited. Only such time counts: while the rate
   * is not used up, nothing shows if a higher one is possible.
   *
   * @param waitedSeconds since the last call
   */
  public double next(double rate, double waitedSeconds) {
    limitedSeconds += waitedSeconds;
    double seconds = Math.min(waitedSeconds, 1);
    peak.seen(rate, seconds);
    if (peak.isFarAbove(rate) && limitedSeconds > CLIMB_AFTER_SECONDS) {
      return Math.min(peak.climbTo(), rate * (1 + CLIMB * seconds));
    }
    double quiet = limitedSeconds / GROWTH_QUIET_SECONDS;
    double growth =
        GROWTH * Math.min(1, rate / SLOW_RATE)
            + GROWTH_PER_SECOND / rate
            + GROWTH_LATER * quiet * quiet;
    return rate * (1 + Math.min(GROWTH_MAX, growth) * seconds);
  }
}
