/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.law;

/**
 * Adapts the rate of a whole cluster to the rate that one partition can serve. It aims at a small
 * share of throttled answers instead of none: without any throttled answer, the limit of the store
 * is unknown. S3 saves up a quarter of a second of unused rate, so an excess is throttled only
 * seconds later. Therefore the rate grows slowly near the last rate that was known to be too high,
 * and quickly far from it.
 *
 * <p>The numbers were tuned on the scenarios of the simulator, and a test pins each of them;
 * bench/results/rates.md shows the results.
 */
public final class RateLaw {
  /**
   * A cap that had no effect for this long ends. A judgement: by then S3 has split the partition,
   * or the other users of the partition are gone.
   */
  public static final double OPEN_AFTER_SECONDS = 300;

  /** S3 saves up as much of a rate that is not used. */
  public static final double SAVED_SECONDS = 0.25;

  /** A window that serves twice as much as those before is the first of a crowd. */
  private static final double FIRST_OF_CROWD = 2;

  /** From this share of throttled answers on, the rate is set below the rate that was served. */
  private static final double BAD = 0.02;

  /**
   * A rejected request costs the store about half as much as a served one; this value is higher, to
   * be careful.
   */
  private static final double COST_OF_REJECTED = 0.7;

  /** A little below the known rate, so that S3 can save up unused rate again. */
  private static final double UNDER_KNOWN = 0.97;

  /**
   * Cuts twice the excess, so that the overload ends within one window if the estimate is right.
   */
  private static final double GENTLE_CUT = 2.0;

  /** A slight overload is throttled only after twelve seconds; it can be at most this factor. */
  private static final double GENTLE_ABOVE_SUSTAINED = 1.02;

  /**
   * Growth back to the rate that is known to work. It takes seconds, because reports are half a
   * second old.
   */
  private static final double RECOVERY_PER_SECOND = 0.1;

  /**
   * The average over this many seconds is the rate that the store sustains, if the served rate did
   * not change much in this time.
   */
  private static final double SUSTAINED_SECONDS = 15;

  /** A larger change is no noise of one window: the limit of the store has changed. */
  private static final double SUSTAINED_CHANGE = 0.12;

  /**
   * Only an application that uses this share of its rate can show that a higher rate is possible.
   */
  private static final double SATURATED = 0.95;

  /**
   * Growth per second near the limit. S3 does not reject an excess of 2 % for the first twelve
   * seconds.
   */
  private static final double GROWTH = 0.005;

  /**
   * Additional growth, which increases while nothing is throttled, up to 1.5 % a second in total.
   */
  private static final double GROWTH_LATER = 0.03;

  private static final double GROWTH_LATER_MAX = 0.01;
  private static final double GROWTH_LATER_SECONDS = 4;

  /**
   * If the sent rate exceeds the last rate that was too high by this factor and is not throttled,
   * the limit of the store has risen.
   */
  private static final double BEYOND = 1.1;

  /** After this time S3 has used up the unused rate that it saved, if the excess is a tenth. */
  private static final double BEYOND_QUIET_SECONDS = 3;

  /** Growth per second to find a limit that has risen: steps of a tenth. */
  private static final double BEYOND_GROWTH = 0.1;

  /**
   * Growth per second of the cap of a crowd until it is known which rate is too much. The cap was
   * found from few answers and is often too low; docs/rate-control.md has what 10 % did instead.
   */
  private static final double UNKNOWN_GROWTH = 0.03;

  /**
   * With this growth the rate climbs from half of the peak to the whole within one or two seconds.
   */
  private static final double CLIMB_PER_SECOND = 0.6;

  /**
   * Time without throttling before the rate climbs. It gets longer each time a climb ends in
   * throttling.
   */
  private static final double PATIENCE_MIN_SECONDS = 2;

  private static final double PATIENCE_MAX_SECONDS = 7;
  private static final double PATIENCE_FACTOR = 1.5;

  private final double target;
  private final Peak peak = new Peak();
  private double rate;
  private double known;
  private double served;
  private double servedBefore;
  private double sustained;
  private double tooMuch;
  private double quietSeconds;
  private double limitedSeconds;
  private double patience = PATIENCE_MIN_SECONDS;
  private boolean climbs;

  public RateLaw(double target) {
    this.target = target;
  }

  /**
   * The counts of one window.
   *
   * @param sent requests answered per second
   * @param ok answers per second that were not throttled
   * @param waits whether requests wait for permits
   */
  public record Window(double seconds, double sent, double ok, boolean waits) {
    public double throttledShare() {
      return sent == 0 ? 0 : (sent - ok) / sent;
    }
  }

  public double rate() {
    return rate;
  }

  /** Returns true if the throttled share was not above the target in the last window or longer. */
  public boolean isQuiet() {
    return quietSeconds > 0;
  }

  /** Records the served rate of a window while there is no cap. */
  public void watch(Window window) {
    servedBefore = served;
    served = served == 0 ? window.ok() : 0.7 * served + 0.3 * window.ok();
  }

  /** Returns true if hardly anything was sent before the window that was watched last. */
  public boolean isFirstOfCrowd(Window window) {
    return window.ok() > FIRST_OF_CROWD * servedBefore;
  }

  /**
   * Begins to cap the rate because the store throttles. The cap starts from the rate that is sent.
   */
  public void engage(Window window) {
    rate = window.sent();
    known = window.ok();
    limitedSeconds = 0;
    adjust(window);
  }

  /**
   * Begins to cap the rate of a crowd that has just begun to send. Too much for the store was what
   * it had not saved for, so it is not known yet which rate is too much.
   *
   * @param window what the store can go on with, as far as it is known
   * @param seen what it has served, with what it had saved; the rate soon climbs towards that
   */
  public void engage(Window window, Window seen) {
    peak.seen(seen.ok());
    engage(window);
    tooMuch = 0;
  }

  /** Sets the cap back to its earlier value, because the throttling was no overload. */
  public void resume(double before) {
    rate = before;
    known = before;
    sustained = before;
    tooMuch = before;
    quietSeconds = 0;
    limitedSeconds = 0;
  }

  /**
   * Adjusts the cap to the window. Returns true if the cap has an effect: requests were throttled,
   * or requests wait for permits.
   */
  public boolean step(Window window) {
    watch(window);
    return adjust(window);
  }

  private boolean adjust(Window window) {
    peak.seen(served, window.seconds());
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
    if (peak.isFarAbove(rate) && quietSeconds >= patience) {
      climbs = true;
      rate = Math.min(peak.climbTo(), rate * (1 + CLIMB_PER_SECOND * seconds));
      return true;
    }
    if (!peak.isFarAbove(rate)) {
      climbs = false;
      patience = PATIENCE_MIN_SECONDS;
    }
    boolean isBeyond = window.sent() > BEYOND * tooMuch && quietSeconds >= BEYOND_QUIET_SECONDS;
    double beyond = tooMuch == 0 ? UNKNOWN_GROWTH : BEYOND_GROWTH;
    rate *= 1 + (isBeyond ? beyond : growth(window.throttledShare())) * seconds;
    return true;
  }

  private double growth(double share) {
    double later = Math.max(0, limitedSeconds / GROWTH_LATER_SECONDS - 1);
    double more = Math.min(GROWTH_LATER_MAX, GROWTH_LATER * later * later);
    return GROWTH * (1 - share / target) + more;
  }
}
