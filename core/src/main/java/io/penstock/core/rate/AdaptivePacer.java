/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.endpoint.Crowd;
import io.penstock.core.rate.RateReport.Seen;
import io.penstock.core.retry.Repeat;
import java.util.Optional;

/**
 * No cap until the store throttles; then a rate that starts from what the store was seen to take.
 * Works alone; while a share of the driver is good it follows that, and cuts by itself only when
 * things are bad. The constants and their reasons are in docs/rate-control.md.
 */
final class AdaptivePacer implements Pacer {
  /** Throttled share from which a process cuts although the driver is in charge. */
  private static final double ALARM = 0.3;

  /** One 503 among fewer answers may be a proxy's, and says nothing about a rate. */
  private static final double ANSWERS_MIN = 10;

  /**
   * Requests in flight at first; while that is too few it doubles every tenth of a second, until
   * the store throttles once. A crowd that comes from nothing, as a job's commit does, would all be
   * rejected at once.
   */
  private static final double WINDOW_START = 8;

  private static final double WINDOW_DOUBLES_SECONDS = 0.1;

  private static final long WINDOW_LOOK_NANOS = 2_000_000;

  /** Longer than the driver's: processes that do not talk to each other need time to settle. */
  private static final double PATIENCE_SECONDS = 12;

  private static final double START_MIN = 2;

  /** While the store is struck, most of these are rejected. */
  private static final double STRUCK_MIN = 10;

  private static final double CUT = 0.5;
  private static final double OPEN_AFTER_SECONDS = 300;

  /** Up to near the best rate of the last two minutes it grows fast, and slowly from there. */
  private static final double FAR_UNDER_PEAK = 0.85;

  private static final double CLIMB_TO = 0.95;
  private static final double CLIMB = 0.15;
  private static final double CLIMB_AFTER_SECONDS = 1;
  private static final double PEAK_LASTS_SECONDS = 120;

  /** Per second; a slow rate would otherwise need minutes to see whether there is room. */
  private static final double GROWTH = 0.03;

  private static final double SLOW_RATE = 10;
  private static final double GROWTH_PER_SECOND = 0.02;
  private static final double GROWTH_LATER = 0.01;
  private static final double GROWTH_QUIET_SECONDS = 15;
  private static final double GROWTH_MAX = 0.5;

  private final double minRate;
  private final Contest contest = new Contest(PATIENCE_SECONDS);
  private final RecentAnswers recent = new RecentAnswers();
  private final Crowd crowd = new Crowd();

  private TokenBucket permits; // null without a cap
  private Share.Mode leased = Share.Mode.OPEN;
  private double leasedUntil = Double.NEGATIVE_INFINITY;
  private double lastCut = Double.NEGATIVE_INFINITY;
  private double lastStep;
  private double lastPressure;
  private double limitedSinceCut;
  private boolean struck;
  private double contestSeen;
  private double contestAnswers;
  private double contestThrottled;
  private double peak;
  private int waiting;
  private int inFlight;
  private double window = WINDOW_START;
  private double windowFull = Double.NaN;
  private double floor;
  private long usedNanos = Long.MIN_VALUE;
  private double reportedOk;
  private double reportedThrottled;

  /**
   * @param minRate requests a second that are always allowed
   * @param floor what a cut leaves at least, as far as the store serves it
   */
  AdaptivePacer(double minRate, double floor) {
    this.minRate = minRate;
    this.floor = floor;
  }

  @Override
  public synchronized void arrive(long nowNanos) {
    step(nowNanos / 1e9);
    usedNanos = nowNanos;
    waiting++;
  }

  @Override
  public synchronized void leave(long nowNanos) {
    step(nowNanos / 1e9);
    waiting--;
  }

  @Override
  public synchronized long take(long nowNanos, double weight) {
    double now = nowNanos / 1e9;
    step(now);
    if (permits == null && !isInWindow(now)) {
      return WINDOW_LOOK_NANOS;
    }
    double wait = permits == null ? 0 : permits.take(now, weight);
    if (wait == 0) {
      waiting--;
      inFlight++;
      return 0;
    }
    lastPressure = now;
    return (long) Math.ceil(wait * 1e9);
  }

  @Override
  public synchronized void answered(long sentNanos, long nowNanos, double ok, double throttled) {
    double now = nowNanos / 1e9;
    step(now);
    usedNanos = nowNanos;
    recent.add(now, ok, throttled);
    inFlight--;
    reportedOk += ok;
    reportedThrottled += throttled;
    contestAnswers += ok + throttled;
    contestThrottled += throttled;
    if (throttled == 0) {
      crowd.served(sentNanos, nowNanos);
      return;
    }
    crowd.failed(nowNanos);
    window = Double.POSITIVE_INFINITY; // from now on there are better means
    lastPressure = now;
    if (now < leasedUntil && !isAlarming(now)) {
      return;
    }
    if (permits != null) {
      if (!struck && sentNanos / 1e9 > lastCut) {
        cut(now);
      }
    } else if (!contest.isOn(now)
        && (recent.throttled(now) > 1 || recent.all(now) >= ANSWERS_MIN)) {
      engage(now);
    }
  }

  @Override
  public synchronized void lost(long nowNanos) {
    inFlight--;
  }

  private boolean isAlarming(double now) {
    return leased != Share.Mode.CONTESTED
        && leased != Share.Mode.STRUCK
        && recent.all(now) >= ANSWERS_MIN
        && recent.throttledShare(now) >= ALARM;
  }

  private boolean isInWindow(double now) {
    if (inFlight < window) {
      return true;
    }
    if (Double.isNaN(windowFull)) {
      windowFull = now;
    } else if (now - windowFull >= WINDOW_DOUBLES_SECONDS) {
      window *= 2;
      windowFull = now;
    }
    return inFlight < window;
  }

  /** Starts from the service rate that was measured, not from one that was configured. */
  private void engage(double now) {
    double share = recent.throttledShare(now);
    double served = recent.allPerSecond(now) * Math.max(CUT, 1 - share);
    double rate = Math.max(START_MIN, served);
    permits = new TokenBucket(rate, now);
    contest.begins(rate);
    contestSeen = now;
    contestAnswers = 0;
    contestThrottled = 0;
    peak = Math.max(peak, 2 * rate);
    lastCut = now;
    limitedSinceCut = 0;
  }

  /** Once per round trip: what was sent before the last cut says nothing about the new rate. */
  private void cut(double now) {
    double rate = permits.rate();
    double least = Math.min(Math.min(floor, recent.okPerSecond(now)), rate);
    permits.rate(Math.max(Math.max(minRate, rate * CUT), least), now);
    lastCut = now;
    limitedSinceCut = 0;
  }

  private void step(double now) {
    double seconds = Math.max(0, now - lastStep);
    lastStep = Math.max(lastStep, now);
    if (now < leasedUntil) {
      return;
    }
    if (leased != Share.Mode.OPEN && permits != null) {
      contest.begins(permits.rate()); // The driver is gone: from here on it judges alone.
    }
    leased = Share.Mode.OPEN;
    if (permits == null) {
      return;
    }
    if (now - lastPressure > OPEN_AFTER_SECONDS) {
      open();
      return;
    }
    if (contestAnswers >= ANSWERS_MIN && now - contestSeen >= 1) {
      judge(now);
    }
    if (permits != null && !struck && waiting > 0 && seconds > 0) {
      limitedSinceCut += seconds;
      grow(now, Math.min(seconds, 1));
    }
  }

  private void open() {
    permits = null;
    struck = false;
  }

  private void judge(double now) {
    RateLaw.Window window = window(now);
    if (struck) {
      switch (contest.judgeStrike(now, window)) {
        case OVERLOAD -> struck = false;
        case OTHERS -> open();
        case STRUCK -> {}
      }
      return;
    }
    switch (contest.judge(now, window)) {
      case OVERLOAD -> {}
      case OTHERS -> open();
      case STRUCK -> {
        struck = true;
        permits.rate(Math.max(STRUCK_MIN, contest.sentAtStart()), now);
        limitedSinceCut = 0;
      }
    }
  }

  /** Returns what was answered since the last call. */
  private RateLaw.Window window(double now) {
    double seconds = now - contestSeen;
    double sent = contestAnswers / seconds;
    double ok = sent - contestThrottled / seconds;
    contestSeen = now;
    contestAnswers = 0;
    contestThrottled = 0;
    return new RateLaw.Window(seconds, sent, ok, waiting > 0);
  }

  /** Only while requests wait: a rate that nobody uses proves nothing. */
  private void grow(double now, double seconds) {
    double rate = permits.rate();
    peak = Math.max(peak * (1 - seconds / PEAK_LASTS_SECONDS), rate);
    if (rate < FAR_UNDER_PEAK * peak && limitedSinceCut > CLIMB_AFTER_SECONDS) {
      permits.rate(Math.min(CLIMB_TO * peak, rate * (1 + CLIMB * seconds)), now);
      return;
    }
    double quiet = limitedSinceCut / GROWTH_QUIET_SECONDS;
    double growth =
        GROWTH * Math.min(1, rate / SLOW_RATE)
            + GROWTH_PER_SECOND / rate
            + GROWTH_LATER * quiet * quiet;
    permits.rate(rate * (1 + Math.min(GROWTH_MAX, growth) * seconds), now);
  }

  /** Follows the driver until then. */
  synchronized void follow(Share share, long nowNanos, long untilNanos) {
    double now = nowNanos / 1e9;
    step(now);
    leased = share.mode();
    leasedUntil = untilNanos / 1e9;
    struck = false;
    if (!share.mode().hasRate()) {
      permits = null;
      return;
    }
    if (permits == null) {
      permits = new TokenBucket(share.rate(), now);
    } else {
      permits.rate(share.rate(), now);
    }
    lastPressure = now;
    limitedSinceCut = 0;
  }

  /** Returns what was seen since the last call. */
  synchronized Seen report(String prefix) {
    Seen seen = new Seen(prefix, reportedOk, reportedThrottled, Math.max(0, waiting));
    reportedOk = 0;
    reportedThrottled = 0;
    return seen;
  }

  synchronized void floor(double requestsPerSecond) {
    floor = requestsPerSecond;
  }

  @Override
  public synchronized boolean isIdle(long nowNanos, long sinceNanos) {
    return isOpen(nowNanos)
        && nowNanos / 1e9 >= leasedUntil
        && usedNanos <= sinceNanos
        && waiting <= 0
        && inFlight <= 0;
  }

  /** Returns true if there is no cap now. */
  synchronized boolean isOpen(long nowNanos) {
    step(nowNanos / 1e9);
    return permits == null;
  }

  @Override
  public synchronized Repeat repeat() {
    if (struck) {
      return Repeat.AT_ONCE;
    }
    return permits != null && leased == Share.Mode.OPEN ? Repeat.SHORTLY : leased.repeat();
  }

  @Override
  public Optional<Crowd> crowd() {
    return Optional.of(crowd);
  }

  @Override
  public synchronized double rate() {
    return permits == null ? Double.POSITIVE_INFINITY : permits.rate();
  }
}
