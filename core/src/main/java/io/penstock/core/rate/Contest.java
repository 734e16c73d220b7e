/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.rate.RateLaw.Window;

/**
 * Notices that others cause the throttling: it stays high although this application sends much less
 * than when it began. Then slowing down only feeds the others, so pacing stops for a while.
 */
final class Contest {
  private static final double SHARE = 0.05;
  private static final double FALLEN_TO = 0.6;
  private static final double PAUSE_MIN_SECONDS = 60;
  private static final double PAUSE_MAX_SECONDS = 300;

  private final double patienceSeconds;
  private double sentAtStart;
  private double badSeconds;
  private double pause = PAUSE_MIN_SECONDS;
  private double until = Double.NEGATIVE_INFINITY;

  /**
   * @param patienceSeconds of much throttling before the others are blamed
   */
  Contest(double patienceSeconds) {
    this.patienceSeconds = patienceSeconds;
  }

  boolean isOn(double now) {
    return now < until;
  }

  /** Throttling began at this rate. */
  void begins(double sentPerSecond) {
    sentAtStart = sentPerSecond;
    badSeconds = 0;
  }

  /** Whether pacing has to stop now. */
  boolean isLost(double now, Window window) {
    if (window.throttledShare() < SHARE) {
      badSeconds = 0;
      // A new episode starts from what is sent in peace.
      sentAtStart = window.sent();
      return false;
    }
    if (window.sent() < FALLEN_TO * sentAtStart) {
      badSeconds += window.seconds();
    }
    if (badSeconds < patienceSeconds) {
      return false;
    }
    until = now + pause;
    pause = Math.min(PAUSE_MAX_SECONDS, pause * 2);
    badSeconds = 0;
    return true;
  }
}
