/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

/**
 * Makes the rate of a whole cluster follow what one partition takes. It aims at a small share of
 * throttled answers instead of none: without any, nobody would know what the store could take. S3
 * saves up a quarter of a second of unused rate, so that too much is felt only seconds later;
 * therefore it grows slowly near what was last known to be too much, and quickly far from it.
 *
 * <p>The numbers were tuned on the scenarios of the simulator, and a test pins each of them;
 * docs/rate-control.md has what they reach.
 */
final class RateLaw {
  /** Share of throttled answers from which the rate falls under what was served. */
  private static final double BAD = 0.02;

  /** A rejected request costs the store about half as much as a served one, so this is prudent. */
  private static final double COST_OF_REJECTED = 0.7;

  /** A little under, so that what S3 has saved up is filled again. */
  private static final double UNDER_KNOWN = 0.97;

  /** Twice the excess: it is over in one window where the estimate is right. */
  private static final double GENTLE_CUT = 2.0;

  /** A slight overload is felt twelve seconds late: this is what it can be. */
  private static final double GENTLE_ABOVE_SUSTAINED = 1.02;

  /**
   * Back to what is known to go well within seconds, and not at once: reports are half a second
   * old.
   */
  private static final double RECOVERY_PER_SECOND = 0.1;

  /**
   * Served over so many seconds is what the store sustains, if it did not change much meanwhile.
   */
  private static final double SUSTAINED_SECONDS = 15;

  /** More is no noise of a window: the store takes something else now. */
  private static final double SUSTAINED_CHANGE = 0.12;

  /** Only who sends what he may can say that there is room for more. */
  private static final double SATURATED = 0.95;

  /** Near the limit, a second: S3 hides an excess of 2 % for twelve seconds. */
  private static final double GROWTH = 0.005;

  /** Faster the longer it is quiet, up to one and a half per cent a second together. */
  private static final double GROWTH_LATER = 0.03;

  private static final double GROWTH_LATER_MAX = 0.01;
  private static final double GROWTH_LATER_SECONDS = 4;

  /** Far above what was too much once, and still not throttled: the store takes more now. */
  private static final double BEYOND = 1.1;

  /** S3's store of unused rate is empty by then, if there was an excess of a tenth. */
  private static final double BEYOND_QUIET_SECONDS = 3;

  /** The limit is somewhere else now: look for it in steps of a tenth. */
  private static final double BEYOND_GROWTH = 0.1;

  /** Far under what was served within two minutes: others have come, and may be gone again. */
  private static final double FAR_UNDER_PEAK = 0.85;

  /** Up to where it was served before, less what others may have kept. */
  private static final double CLIMB_TO = 0.95;

  /** From a half to all within a second or two. */
  private static final double CLIMB_PER_SECOND = 0.6;

  /** What was served longer ago says little: partitions are split, and others come and go. */
  private static final double PEAK_LASTS_SECONDS = 120;

  /** Quiet for so long before it climbs; longer each time that a climb ended in throttling. */
  private static final double PATIENCE_MIN_SECONDS = 2;

  private static final double PATIENCE_MAX_SECONDS = 7;
  private static final double PATIENCE_FACTOR = 1.5;

  private final double target;
  private double rate;
  private double known;
  private double served;
  private double sustained;
  private double peak;
  private double tooMuch;
  private double quietSeconds;
  private double limitedSeconds;
  private double patience = PATIENCE_MIN_SECONDS;
  private boolean climbs;

  RateLaw(double target) {
    this.target = target;
  }

  /**
   * The counts of one window.
   *
   * @param sent requests answered a second
   * @param ok of these, not throttled
   * @param waits whether requests wait for permits
   */
  record Window(double seconds, double sent, double ok, boolean waits) {
    double throttledShare() {
      return sent == 0 ? 0 : (sent - ok) / sent;
    }
  }

  double rate() {
    return rate;
  }

  /** Returns true if the store has not throttled more than is aimed at for a window at least. */
  boolean isQuiet() {
    return quietSeconds > 0;
  }

  /** Before there is a cap: only remembers. */
  void watch(Window window) {
    served = served == 0 ? window.ok() : 0.7 * served + 0.3 * window.ok();
  }

  /** The store throttles: the cap starts from what is sent. */
  void engage(Window window) {
    rate = window.sent();
    known = window.ok();
    limitedSeconds = 0;
    adjust(window);
  }

  /** Puts the cap back to what it was before: what was throttled was no overload. */
  void resume(double before) {
    rate = before;
    known = before;
    sustained = before;
    tooMuch = before;
    quietSeconds = 0;
    limitedSeconds = 0;
  }

  /** Moves the cap; true when the cap was felt, by throttled or by waiting requests. */
  boolean step(Window window) {
    watch(window);
    return adjust(window);
  }

  private boolean adjust(Window window) {
    peak = Math.max(served, peak * (1 - window.seconds() / PEAK_LASTS_SECONDS));
    sustain(window);
    double share = window.throttledShare();
    if (share <= target) {
      quietSeconds += window.seconds();
      known = Math.max(known, served);
      return recover(window);
    }
    if (climbs && share > BAD) {
      patience = Math.min(PATIENCE_MAX_SECONDS, patience * PATIENCE_FACTOR);
    }
    climbs = false;
    quietSeconds = 0;
    limitedSeconds = 0;
    tooMuch = window.sent();
    if (share > BAD) {
      known = window.sent() * Math.max(0.5, 1 - COST_OF_REJECTED * share);
      rate = Math.min(Math.min(rate, UNDER_KNOWN * known), sustained);
    } else {
      known = Math.min(known, window.ok());
      double gentle = rate * (1 - GENTLE_CUT * (share - target));
      rate = Math.min(gentle, GENTLE_ABOVE_SUSTAINED * sustained);
    }
    return true;
  }

  private void sustain(Window window) {
    if (Math.abs(window.ok() / Math.max(1, sustained) - 1) > SUSTAINED_CHANGE) {
      sustained = Math.max(window.ok(), window.sent() * COST_OF_REJECTED);
    } else {
      double part = Math.min(1, window.seconds() / SUSTAINED_SECONDS);
      sustained += part * (window.ok() - sustained);
    }
  }

  private boolean recover(Window window) {
    double seconds = window.seconds();
    if (rate < known) {
      rate = Math.min(known, rate + RECOVERY_PER_SECOND * known * seconds);
      return false;
    }
    if (!window.waits() || window.sent() <= SATURATED * rate) {
      return false;
    }
    limitedSeconds += seconds;
    if (rate < FAR_UNDER_PEAK * peak && quietSeconds >= patience) {
      climbs = true;
      rate = Math.min(CLIMB_TO * peak, rate * (1 + CLIMB_PER_SECOND * seconds));
      return true;
    }
    if (rate >= FAR_UNDER_PEAK * peak) {
      climbs = false;
      patience = PATIENCE_MIN_SECONDS;
    }
    boolean isBeyond = window.sent() > BEYOND * tooMuch && quietSeconds >= BEYOND_QUIET_SECONDS;
    rate *= 1 + (isBeyond ? BEYOND_GROWTH : growth(window.throttledShare())) * seconds;
    return true;
  }

  private double growth(double share) {
    double later = Math.max(0, limitedSeconds / GROWTH_LATER_SECONDS - 1);
    double more = Math.min(GROWTH_LATER_MAX, GROWTH_LATER * later * later);
    return GROWTH * (1 - share / target) + more;
  }
}
