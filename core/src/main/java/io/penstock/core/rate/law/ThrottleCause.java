/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.law;

import io.penstock.core.rate.law.RateLaw.Window;

/**
 * Detects throttling that a lower rate does not end: the throttled share stays high although this
 * application sends much less than when the throttling began. There are two such cases. Either
 * other applications cause the throttling, and a lower rate only leaves more for them. Or nearly
 * everything is rejected: then the store is struck, which means that it rejects a fixed share of
 * all requests, and sending fewer requests only lowers the number that are served.
 *
 * <p>The numbers were tuned on the simulator's scenarios with storms and with several tenants;
 * bench/results/rates.md shows the results.
 */
public final class ThrottleCause {
  /**
   * The throttled share that counts as bad. Caps aim at much less, so it is no normal variation.
   */
  private static final double SHARE = 0.05;

  /**
   * Throttling counts as caused by others only while this application sends less than this share of
   * what it sent when the contest began. An overload of its own would have ended by then.
   */
  private static final double FALLEN_TO = 0.6;

  /**
   * S3 splits a busy partition within minutes, and jobs of other applications end within minutes.
   */
  private static final double PAUSE_MIN_SECONDS = 60;

  /**
   * The pause is doubled at most up to this limit: meanwhile the cause may have become an overload.
   */
  private static final double PAUSE_MAX_SECONDS = 300;

  /** The store is struck if it rejects at least this share, with two standard errors to spare. */
  private static final double STRUCK_SHARE = 0.65;

  /**
   * With two standard errors, one in forty overloads that reject exactly this share is mistaken for
   * a strike.
   */
  private static final double STRUCK_ERRORS = 2;

  /** The same time as the driver waits before it blames others. */
  private static final double STRUCK_AFTER_SECONDS = 3;

  /**
   * If the throttled share falls to this part of its first value, but not to none, there was no
   * strike.
   */
  private static final double OVER_AT = 0.6;

  /**
   * Weight of the newest window in the average: a window with few answers can be far from the true
   * share.
   */
  private static final double WINDOW_WEIGHT = 0.3;

  /**
   * After this time the rate law decides again for a while, in case there was an overload after
   * all.
   */
  private static final double DOUBT_MIN_SECONDS = 120;

  /** Storms last for minutes. A wrong verdict has an effect for at most this long. */
  private static final double DOUBT_MAX_SECONDS = 300;

  private final double patienceSeconds;
  private final int windowsMin;
  private double sentAtStart;
  private double badSeconds;
  private int badWindows;
  private double pause = PAUSE_MIN_SECONDS;
  private double until = Double.NEGATIVE_INFINITY;
  private double struckSeconds;
  private double struckSent;
  private double struckThrottled;
  private double struckShare;
  private double recentShare;
  private double doubt = DOUBT_MIN_SECONDS;
  private double doubtedAt;

  /** The causes of throttling that are told apart. */
  public enum Verdict {
    /** An overload, as far as is known: the rate law decides. */
    OVERLOAD,
    /** Other applications send too much: pacing stops for a while. */
    OTHERS,
    /** The store rejects a share of all requests: the rate goes back to {@link #sentAtStart}. */
    STRUCK
  }

  /**
   * @param patienceSeconds seconds of heavy throttling before other applications are blamed
   * @param windowsMin windows of heavy throttling, as well: a lower rate shows only in the second
   *     window after the cut, and a small application has one or two in the time of its patience
   */
  public ThrottleCause(double patienceSeconds, int windowsMin) {
    this.patienceSeconds = patienceSeconds;
    this.windowsMin = windowsMin;
  }

  public boolean isOn(double now) {
    return now < until;
  }

  /**
   * Begins an episode of throttling.
   *
   * @param sentPerSecond the rate at which the throttling began
   */
  public void begins(double sentPerSecond) {
    sentAtStart = sentPerSecond;
    badSeconds = 0;
    badWindows = 0;
    struckSeconds = 0;
    struckSent = 0;
    struckThrottled = 0;
  }

  /** Returns the requests a second that were sent when the throttling began. */
  public double sentAtStart() {
    return sentAtStart;
  }

  /** Judges one window while the rate law paces the requests. */
  public Verdict judge(double now, Window window) {
    if (window.throttledShare() < SHARE) {
      // The next episode starts from the rate that is sent without throttling.
      begins(window.sent());
      return Verdict.OVERLOAD;
    }
    if (window.sent() < FALLEN_TO * sentAtStart) {
      badSeconds += window.seconds();
      badWindows++;
      struckSeconds += window.seconds();
      struckSent += window.sent() * window.seconds();
      struckThrottled += (window.sent() - window.ok()) * window.seconds();
    }
    if (struckSeconds >= STRUCK_AFTER_SECONDS && isNearlyAllRejected()) {
      struckShare = struckThrottled / struckSent;
      recentShare = struckShare;
      doubtedAt = now + doubt;
      doubt = Math.min(DOUBT_MAX_SECONDS, doubt * 2);
      return Verdict.STRUCK;
    }
    if (badSeconds < patienceSeconds || badWindows < windowsMin) {
      return Verdict.OVERLOAD;
    }
    return blameOthers(now);
  }

  private Verdict blameOthers(double now) {
    until = now + pause;
    pause = Math.min(PAUSE_MAX_SECONDS, pause * 2);
    badSeconds = 0;
    badWindows = 0;
    return Verdict.OTHERS;
  }

  private boolean isNearlyAllRejected() {
    double share = struckThrottled / struckSent;
    double error = Math.sqrt(share * (1 - share) / struckSent);
    if (share - STRUCK_ERRORS * error >= STRUCK_SHARE) {
      return true;
    }
    struckSeconds = 0; // It may still become a strike: measure again.
    struckSent = 0;
    struckThrottled = 0;
    return false;
  }

  /** Judges one window while the store is considered struck. */
  public Verdict judgeStrike(double now, Window window) {
    if (window.sent() > 0 && window.throttledShare() < SHARE) {
      doubt = DOUBT_MIN_SECONDS;
      begins(window.sent());
      return Verdict.OVERLOAD;
    }
    recentShare += WINDOW_WEIGHT * (window.throttledShare() - recentShare);
    if (recentShare <= OVER_AT * struckShare) {
      return blameOthers(now); // Throttling that varies like this depends on how much is sent.
    }
    if (now >= doubtedAt) {
      begins(window.sent());
      return Verdict.OVERLOAD;
    }
    return Verdict.STRUCK;
  }
}
