/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.law;

/**
 * The best rate of the last two minutes. A rate that is far under it was probably cut because other
 * applications took a part, which may have ended again, so it may grow fast.
 */
final class Peak {
  private static final double FAR_UNDER = 0.85;

  /** Other applications may have kept the rest of what was served at the peak. */
  private static final double CLIMB_TO = 0.95;

  /**
   * Older peaks say little: meanwhile partitions are split, and other applications start and end.
   */
  private static final double LASTS_SECONDS = 120;

  private double peak;

  /** Sets the peak to at least this rate. */
  void seen(double ratePerSecond) {
    peak = Math.max(peak, ratePerSecond);
  }

  /** Lets the peak fade, and then sets it to at least this rate. */
  void seen(double ratePerSecond, double seconds) {
    peak = Math.max(peak * (1 - seconds / LASTS_SECONDS), ratePerSecond);
  }

  boolean isFarAbove(double ratePerSecond) {
    return ratePerSecond < FAR_UNDER * peak;
  }

  /** Returns the rate up to which a rate climbs that is far under the peak. */
  double climbTo() {
    return CLIMB_TO * peak;
  }
}
