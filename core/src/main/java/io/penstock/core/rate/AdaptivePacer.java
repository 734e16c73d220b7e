/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.rate.Report.Seen;

/**
 * No cap until the store throttles; then a rate that starts from what the store was seen to take.
 * Works alone; while a share of the driver is good it follows that, and cuts by itself only when
 * things are bad. The constants and their reasons are in docs/rate-control.md.
 */
final class AdaptivePacer implements Pacer {
  /** Throttled share from which a process cuts although the driver is in charge. */
  private static final double ALARM = 0.3;

  private static final double ALARM_ANSWERS_MIN = 10;
  private static final double START_MIN = 2;
  private static final double CUT = 0.5;
  private static final double OPEN_AFTER_SECONDS = 300;
  private static final double GROWTH_MAX = 0.5;

  private final RecentAnswers recent = new RecentAnswers();

  private Permits permits; // null without a cap
  private Share.Mode leased = Share.Mode.OPEN;
  private double leasedUntil = Double.NEGATIVE_INFINITY;
  private double lastCut = Double.NEGATIVE_INFINITY;
  private double lastStep;
  private double lastPressure;
  private double limitedSinceCut;
  private int waiting;
  private double floor;
  private double reportedOk;
  private double reportedThrottled;

  /**
   * @param floor requests a second that are always allowed
   */
  AdaptivePacer(double floor) {
    this.floor = floor;
  }

  @Override
  public synchronized void arrive(long nowNanos) {
    step(nowNanos / 1e9);
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
    double wait = permits == null ? 0 : permits.take(now, weight);
    if (wait == 0) {
      waiting--;
      return 0;
    }
    lastPressure = now;
    return (long) Math.ceil(wait * 1e9);
  }

  @Override
  public synchronized void answered(
      long sentNanos, long nowNanos, double weight, boolean throttled) {
    double now = nowNanos / 1e9;
    step(now);
    recent.add(now, weight, throttled);
    if (!throttled) {
      reportedOk += weight;
      return;
    }
    reportedThrottled += weight;
    lastPressure = now;
    if (now < leasedUntil && !isAlarming(now)) {
      return;
    }
    if (permits == null) {
      engage(now);
    } else if (sentNanos / 1e9 > lastCut) {
      cut(now);
    }
  }

  private boolean isAlarming(double now) {
    return leased != Share.Mode.CONTESTED
        && recent.all(now) >= ALARM_ANSWERS_MIN
        && recent.throttledShare(now) >= ALARM;
  }

  /** From the service rate that was measured, not from one that was configured. */
  private void engage(double now) {
    double share = recent.throttledShare(now);
    double served = recent.all(now) * Math.max(CUT, 1 - share);
    permits = new Permits(Math.max(Math.max(START_MIN, floor), served), now);
    lastCut = now;
    limitedSinceCut = 0;
  }

  /** Once per round trip: what was sent before the last cut says nothing about the new rate. */
  private void cut(double now) {
    permits.rate(Math.max(floor, permits.rate() * CUT), now);
    lastCut = now;
    limitedSinceCut = 0;
  }

  private void step(double now) {
    double seconds = Math.max(0, now - lastStep);
    lastStep = Math.max(lastStep, now);
    if (now < leasedUntil) {
      return;
    }
    leased = Share.Mode.OPEN;
    if (permits == null) {
      return;
    }
    if (now - lastPressure > OPEN_AFTER_SECONDS) {
      permits = null;
      return;
    }
    if (waiting > 0 && seconds > 0) {
      limitedSinceCut += seconds;
      double quiet = limitedSinceCut / 15;
      double rate = permits.rate();
      double growth = 0.03 * Math.min(1, rate / 10) + 0.02 / rate + 0.01 * quiet * quiet;
      permits.rate(rate * (1 + Math.min(GROWTH_MAX, growth) * Math.min(seconds, 1)), now);
    }
  }

  /** Follows the driver until then. */
  synchronized void follow(Share share, long nowNanos, long untilNanos) {
    double now = nowNanos / 1e9;
    step(now);
    leased = share.mode();
    leasedUntil = untilNanos / 1e9;
    if (share.mode() != Share.Mode.PACED) {
      permits = null;
      return;
    }
    if (permits == null) {
      permits = new Permits(share.rate(), now);
    } else {
      permits.rate(share.rate(), now);
    }
    lastPressure = now;
    limitedSinceCut = 0;
  }

  /** What was seen since the last call. */
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
  public synchronized Repeat repeat() {
    return permits == null ? leased.repeat() : Repeat.SHORTLY;
  }

  @Override
  public synchronized double rate() {
    return permits == null ? Double.POSITIVE_INFINITY : permits.rate();
  }
}
