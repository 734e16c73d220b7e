/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

/** Cuts a rate, once per round trip, and says where it starts when there was none. */
final class RateCut {
  /** Under a permit a second or so, a rate could not be judged within seconds. */
  private static final double START_MIN = 2;

  /** As TCP and EMRFS do: what is served is between half and all of what was sent. */
  private static final double CUT = 0.5;

  private final double minRate;
  private double floor;
  private double lastSeconds = Double.NEGATIVE_INFINITY;

  /**
   * @param minRate requests a second that are always allowed
   * @param floor what a cut leaves at least, as far as the store serves it
   */
  RateCut(double minRate, double floor) {
    this.minRate = minRate;
    this.floor = floor;
  }

  void floor(double requestsPerSecond) {
    floor = requestsPerSecond;
  }

  /** Returns true unless the request was sent before the last cut: it says nothing about it. */
  boolean isDue(double sentSeconds) {
    return sentSeconds > lastSeconds;
  }

  /** Returns the rate to begin with: what the store was measured to serve. */
  double first(RecentAnswers recent, double now) {
    double share = recent.throttledShare(now);
    double served = recent.allPerSecond(now) * Math.max(CUT, 1 - share);
    lastSeconds = now;
    return Math.max(START_MIN, served);
  }

  double cut(double rate, RecentAnswers recent, double now) {
    double least = Math.min(Math.min(floor, recent.okPerSecond(now)), rate);
    lastSeconds = now;
    return Math.max(Math.max(minRate, rate * CUT), least);
  }
}
