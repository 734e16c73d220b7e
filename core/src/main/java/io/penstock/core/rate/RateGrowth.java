/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

/**
 * Says how fast a rate may grow while requests wait for it: fast up to near the best rate of the
 * last two minutes, slowly from there, and faster the longer nothing speaks against it.
 */
final class RateGrowth {
  // Tuned on the simulator's scenarios; docs/rate-control.md has what they reach.

  /** Under so much of the peak the rate climbs, up to so much of it, by so much a second. */
  private static final double FAR_UNDER_PEAK = 0.85;

  private static final double CLIMB_TO = 0.95;
  private static final double CLIMB = 0.15;

  /** The cut is known to have helped by then, or there was another one. */
  private static final double CLIMB_AFTER_SECONDS = 1;

  /** What was served longer ago says little: partitions are split, and others come and go. */
  private static final double PEAK_LASTS_SECONDS = 120;

  /** Near the peak, a second: S3 shows an excess of so much within seconds. */
  private static final double GROWTH = 0.03;

  /** A rate under ten a second grows by a share less, and by a step: two a second in 100 s. */
  private static final double SLOW_RATE = 10;

  private static final double GROWTH_PER_SECOND = 0.02;

  /** After 15 quiet seconds it grows by a third more, after 30 by more than twice as much. */
  private static final double GROWTH_LATER = 0.01;

  private static final double GROWTH_QUIET_SECONDS = 15;

  /** A bound for rates that were far too low for minutes. */
  private static final double GROWTH_MAX = 0.5;

  private double limitedSeconds;
  private double peak;

  /** The rate was set by something else, so whether it is too low is not known yet. */
  void restart() {
    limitedSeconds = 0;
  }

  /** So much was served before there was a rate. */
  void seen(double ratePerSecond) {
    peak = Math.max(peak, ratePerSecond);
  }

  /**
   * Returns the rate after a time in which requests waited: a rate that nobody uses proves nothing.
   *
   * @param waitedSeconds since the last call
   */
  double next(double rate, double waitedSeconds) {
    limitedSeconds += waitedSeconds;
    double seconds = Math.min(waitedSeconds, 1);
    peak = Math.max(peak * (1 - seconds / PEAK_LASTS_SECONDS), rate);
    if (rate < FAR_UNDER_PEAK * peak && limitedSeconds > CLIMB_AFTER_SECONDS) {
      return Math.min(CLIMB_TO * peak, rate * (1 + CLIMB * seconds));
    }
    double quiet = limitedSeconds / GROWTH_QUIET_SECONDS;
    double growth =
        GROWTH * Math.min(1, rate / SLOW_RATE)
            + GROWTH_PER_SECOND / rate
            + GROWTH_LATER * quiet * quiet;
    return rate * (1 + Math.min(GROWTH_MAX, growth) * seconds);
  }
}
