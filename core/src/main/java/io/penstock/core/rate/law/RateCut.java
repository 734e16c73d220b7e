/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.law;

/**
 * Cuts a rate at most once per round trip, and chooses the first rate if there was no cap before.
 */
public final class RateCut {
  /**
   * Lowest first rate. With about one permit a second, a rate could not be judged within seconds.
   */
  private static final double START_MIN = 2;

  /**
   * The same factor as in TCP and EMRFS: the store serves between half and all of what was sent.
   */
  private static final double CUT = 0.5;

  private final double minRate;
  private double floor;
  private double lastSeconds = Double.NEGATIVE_INFINITY;

  /**
   * @param minRate requests a second that are always allowed
   * @param floor requests a second below which a cut does not go, as long as the store serves that
   *     many
   */
  public RateCut(double minRate, double floor) {
    this.minRate = minRate;
    this.floor = floor;
  }

  public void floor(double requestsPerSecond) {
    floor = requestsPerSecond;
  }

  /**
   * Returns true if the request was sent after the last cut. The answer to an earlier request says
   * nothing about the rate after that cut.
   */
  public boolean isDue(double sentSeconds) {
    return sentSeconds > lastSeconds;
  }

  /**
   * Returns the first rate: the rate that the store was measured to serve. What it had saved while
   * nothing was sent does not count.
   */
  public double first(RecentAnswers recent, double now) {
    double share = recent.throttledShare(now);
    double served = recent.sustainedPerSecond(now) * Math.max(CUT, 1 - share);
    lastSeconds = now;
    return Math.max(START_MIN, served);
  }

  public double cut(double rate, RecentAnswers recent, double now) {
    double least = Math.min(Math.min(floor, recent.okPerSecond(now)), rate);
    lastSeconds = now;
    return Math.max(Math.max(minRate, rate * CUT), least);
  }
}
