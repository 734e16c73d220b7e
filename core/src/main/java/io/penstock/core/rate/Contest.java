/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.rate.RateLaw.Window;

/**
 * Notices throttling that going slower does not end: it stays high although this application sends
 * much less than when it began. Either others cause it, and yielding feeds only them; or, when
 * nearly everything is rejected, the store is struck and rejects a share of whatever it is sent,
 * and every request that is not sent is lost.
 *
 * <p>The numbers were tuned on the storms and tenants of the simulator; docs/rate-control.md has
 * what they reach.
 */
final class Contest {
  /** Much more than any cap aims at, so it is no swing of the law. */
  private static final double SHARE = 0.05;

  /** An overload that this application causes is over when it sends so much less. */
  private static final double FALLEN_TO = 0.6;

  /** S3 splits a busy partition within minutes; others' jobs end within minutes. */
  private static final double PAUSE_MIN_SECONDS = 60;

  /** Doubled twice, and a bound: it may be an overload by now. */
  private static final double PAUSE_MAX_SECONDS = 300;

  /** The store is struck if it rejects at least this share, with two standard errors to spare. */
  private static final double STRUCK_SHARE = 0.65;

  /** One in forty overloads that reject just so much is taken for a strike by chance. */
  private static final double STRUCK_ERRORS = 2;

  /** As long as the driver waits before it blames others. */
  private static final double STRUCK_AFTER_SECONDS = 3;

  /** It was no strike when the throttled share falls to so much of what it was, and not to none. */
  private static final double OVER_AT = 0.6;

  /** A window of few answers may be off by much. */
  private static final double WINDOW_WEIGHT = 0.3;

  /** After so long the law has its way for a while, in case it was an overload after all. */
  private static final double DOUBT_MIN_SECONDS = 120;

  /** Storms last for minutes, and a wrong verdict costs at most this. */
  private static final double DOUBT_MAX_SECONDS = 300;

  private final double patienceSeconds;
  private double sentAtStart;
  private double badSeconds;
  private double pause = PAUSE_MIN_SECONDS;
  private double until = Double.NEGATIVE_INFINITY;
  private double struckSeconds;
  private double struckSent;
  private double struckThrottled;
  private double struckShare;
  private double recentShare;
  private double doubt = DOUBT_MIN_SECONDS;
  private double doubtedAt;

  /** Tells what the throttling turned out to be. */
  enum Verdict {
    /** An overload, as far as is known: the law decides. */
    OVERLOAD,
    /** Others send too much: pacing stops for a while. */
    OTHERS,
    /** The store rejects whatever is sent: the rate goes back to {@link #sentAtStart}. */
    STRUCK
  }

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
    struckSeconds = 0;
    struckSent = 0;
    struckThrottled = 0;
  }

  /** Returns the requests a second that were sent when the throttling began. */
  double sentAtStart() {
    return sentAtStart;
  }

  /** Judges what is throttled now. */
  Verdict judge(double now, Window window) {
    if (window.throttledShare() < SHARE) {
      // A new episode starts from what is sent in peace.
      begins(window.sent());
      return Verdict.OVERLOAD;
    }
    if (window.sent() < FALLEN_TO * sentAtStart) {
      badSeconds += window.seconds();
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
    if (badSeconds < patienceSeconds) {
      return Verdict.OVERLOAD;
    }
    return blameOthers(now);
  }

  private Verdict blameOthers(double now) {
    until = now + pause;
    pause = Math.min(PAUSE_MAX_SECONDS, pause * 2);
    badSeconds = 0;
    return Verdict.OTHERS;
  }

  private boolean isNearlyAllRejected() {
    double share = struckThrottled / struckSent;
    double error = Math.sqrt(share * (1 - share) / struckSent);
    if (share - STRUCK_ERRORS * error >= STRUCK_SHARE) {
      return true;
    }
    struckSeconds = 0; // It may be yet: look anew.
    struckSent = 0;
    struckThrottled = 0;
    return false;
  }

  /** Judges anew while the store is taken to be struck. */
  Verdict judgeStrike(double now, Window window) {
    if (window.sent() > 0 && window.throttledShare() < SHARE) {
      doubt = DOUBT_MIN_SECONDS;
      begins(window.sent());
      return Verdict.OVERLOAD;
    }
    recentShare += WINDOW_WEIGHT * (window.throttledShare() - recentShare);
    if (recentShare <= OVER_AT * struckShare) {
      return blameOthers(now); // What comes and goes like this depends on what is sent.
    }
    if (now >= doubtedAt) {
      begins(window.sent());
      return Verdict.OVERLOAD;
    }
    return Verdict.STRUCK;
  }
}
