/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.rate.RateLaw.Window;
import io.penstock.core.rate.RateReport.Seen;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Decides what all executors together may send to one partition: collects their reports into
 * windows, lets the law decide on each, and shares the rate out. The constants were tuned on the
 * simulator; docs/rate-control.md has what they reach.
 */
final class ClusterRate {
  /** At 2 % throttled, one answer: fewer say nothing of the share. */
  private static final double WINDOW_REQUESTS = 40;

  /** Reports of one moment come together; a window of them has no length. */
  private static final double WINDOW_MIN_SECONDS = 0.2;

  /** A judgement: a slow job's cap must move while the job lasts. */
  private static final double WINDOW_MAX_SECONDS = 2;

  /** One or two 503s may be a front end's, and end by themselves. */
  private static final double ENGAGE_THROTTLES = 5;

  /** The same as for a process alone: see {@link AdaptivePacer}. */
  private static final double OPEN_AFTER_SECONDS = 300;

  /** Whoever sends less than a tenth of the documented limit is not what overloads a partition. */
  private static final double SMALL_SHARE_OF_LIMIT = 0.1;

  /** Six reports, by default: the driver sees the whole application and need not wait longer. */
  private static final double PATIENCE_SECONDS = 3;

  /** One report and a half, by default: then it is lost, or its executor is busy. */
  private static final double LATE_SECONDS = 0.75;

  /** An executor that missed three leases is dead, or asks the store for nothing. */
  private static final double LEASES_UNTIL_GONE = 3;

  private final double target;
  private final double documentedLimit;
  private final double goneSeconds;
  private final double periodSeconds;
  private final RateLaw law;
  private final Shares shares;
  private final Contest contest = new Contest(PATIENCE_SECONDS);
  private final Map<String, Executor> executors = new LinkedHashMap<>();

  private Share.Mode mode = Share.Mode.OPEN;
  private double struckRate;
  private double windowStart = Double.NaN;
  private double windowOk;
  private double windowThrottled;
  private double lastFelt;
  private double sentPerSecond;
  private double busyAt = Double.NaN;

  /** The state of one executor, as far as it is known. */
  static final class Executor {
    private double reportedAt;
    private double okPerSecond;
    private double throttledPerSecond;
    private boolean isFresh;
    double recentPerSecond;
    int waiting;
  }

  ClusterRate(RateConfig config, Traffic traffic) {
    this.target = config.target();
    this.documentedLimit = traffic.documentedLimit();
    this.law = new RateLaw(config.target());
    this.shares = new Shares(config.minRate());
    this.goneSeconds = config.lease().toNanos() / 1e9 * LEASES_UNTIL_GONE;
    this.periodSeconds = config.reportPeriod().toNanos() / 1e9;
  }

  /** Knows the executors of another partition of the bucket, which have not sent here yet. */
  ClusterRate joinedBy(ClusterRate other) {
    other.executors.forEach(
        (name, executor) -> {
          Executor known = new Executor();
          known.reportedAt = executor.reportedAt;
          executors.put(name, known);
        });
    return this;
  }

  void report(String name, Seen seen, double now) {
    Executor executor = executors.computeIfAbsent(name, n -> new Executor());
    double seconds =
        executor.reportedAt == 0
            ? periodSeconds
            : Math.max(periodSeconds / 10, now - executor.reportedAt);
    executor.okPerSecond = seen.ok() / seconds;
    executor.throttledPerSecond = seen.throttled() / seconds;
    double sent = executor.okPerSecond + executor.throttledPerSecond;
    executor.recentPerSecond = Math.max(sent, 0.6 * executor.recentPerSecond + 0.4 * sent);
    executor.waiting = seen.waiting();
    executor.reportedAt = now;
    executor.isFresh = true;
    if (seen.ok() + seen.throttled() > 0 || seen.waiting() > 0) {
      busyAt = now;
    }
    windowOk += seen.ok();
    windowThrottled += seen.throttled();
    if (Double.isNaN(windowStart)) {
      windowStart = now - seconds;
    }
  }

  void forget(String name) {
    executors.remove(name);
  }

  /** Decides anew when there is enough to decide on, and shares out. */
  Map<String, Share> share(String prefix, double now) {
    executors.values().removeIf(executor -> now - executor.reportedAt > goneSeconds);
    assumeForSilent(now);
    double seconds = Double.isNaN(windowStart) ? 0 : now - windowStart;
    boolean isEnough = windowOk + windowThrottled >= WINDOW_REQUESTS;
    if (seconds > WINDOW_MIN_SECONDS && (isEnough || seconds >= WINDOW_MAX_SECONDS)) {
      double sent = windowOk + windowThrottled;
      boolean waits = executors.values().stream().anyMatch(executor -> executor.waiting > 0);
      decide(now, new Window(seconds, sent / seconds, windowOk / seconds, waits));
      windowStart = now;
      windowOk = 0;
      windowThrottled = 0;
    }
    if (mode.hasRate() || Double.isNaN(busyAt)) {
      busyAt = now;
    }
    return mode.hasRate()
        ? shares.limited(prefix, mode, rate(), sentPerSecond, law.isQuiet(), executors)
        : Shares.unlimited(prefix, mode, executors);
  }

  /** A report that got lost is taken to have been as the last one. */
  private void assumeForSilent(double now) {
    for (Executor executor : executors.values()) {
      if (!executor.isFresh && now - executor.reportedAt > LATE_SECONDS) {
        windowOk += executor.okPerSecond * periodSeconds;
        windowThrottled += executor.throttledPerSecond * periodSeconds;
      }
      executor.isFresh = false;
    }
  }

  private void decide(double now, Window window) {
    sentPerSecond = window.sent();
    if (contest.isOn(now)) {
      law.watch(window);
    } else if (mode == Share.Mode.PACED) {
      pace(now, window);
    } else if (mode == Share.Mode.STRUCK) {
      judgeStrike(now, window);
    } else {
      mode = Share.Mode.OPEN;
      law.watch(window);
      boolean isThrottled = (window.sent() - window.ok()) * window.seconds() >= ENGAGE_THROTTLES;
      if (isThrottled && window.throttledShare() >= target) {
        mode = Share.Mode.PACED;
        lastFelt = now;
        contest.begins(window.sent());
        law.engage(window);
      }
    }
  }

  private void pace(double now, Window window) {
    if (law.step(window)) {
      lastFelt = now;
    } else if (now - lastFelt > OPEN_AFTER_SECONDS) {
      mode = Share.Mode.OPEN;
    }
    switch (contest.judge(now, window)) {
      case OVERLOAD -> {}
      case OTHERS -> mode = contested(window);
      case STRUCK -> {
        mode = Share.Mode.STRUCK;
        struckRate = Math.max(SMALL_SHARE_OF_LIMIT * documentedLimit, contest.sentAtStart());
      }
    }
  }

  private void judgeStrike(double now, Window window) {
    switch (contest.judgeStrike(now, window)) {
      case OVERLOAD -> {
        mode = Share.Mode.PACED;
        lastFelt = now;
        law.resume(struckRate);
      }
      case OTHERS -> mode = contested(window);
      case STRUCK -> {}
    }
  }

  private Share.Mode contested(Window window) {
    return window.sent() < SMALL_SHARE_OF_LIMIT * documentedLimit
        ? Share.Mode.CONTESTED_BY_LARGER
        : Share.Mode.CONTESTED;
  }

  /** Returns true if no executor sent anything for long, and there was no cap either. */
  boolean isIdle(double now) {
    return now - busyAt >= Idle.SECONDS;
  }

  double rate() {
    return switch (mode) {
      case PACED -> law.rate();
      case STRUCK -> struckRate;
      case OPEN, CONTESTED, CONTESTED_BY_LARGER -> Double.POSITIVE_INFINITY;
    };
  }
}
