/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.cluster;

import io.penstock.core.rate.Idle;
import io.penstock.core.rate.RateConfig;
import io.penstock.core.rate.law.RateLaw;
import io.penstock.core.rate.law.RateLaw.Window;
import io.penstock.core.rate.law.ThrottleCause;
import io.penstock.core.rate.report.RateReport.Seen;
import io.penstock.core.rate.report.Share;
import io.penstock.core.rate.report.Traffic;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides how many requests a second all executors together may send to one partition. It collects
 * their reports into windows, lets the {@link RateLaw} decide on each window, and divides the rate
 * among the executors. The constants were tuned on the simulator; bench/results/rates.md shows the
 * results.
 */
public final class ClusterRate {
  /** At 2 % throttled, one answer of these. Fewer answers say nothing about the throttled share. */
  private static final double WINDOW_REQUESTS = 40;

  /** Several reports may arrive at the same moment; a window made of only these has no length. */
  private static final double WINDOW_MIN_SECONDS = 0.2;

  /** A judgement: the cap of a job with few requests must also change while the job still runs. */
  private static final double WINDOW_MAX_SECONDS = 2;

  /**
   * The fewest throttled answers in a window that start a cap. One or two 503s may come from a
   * single front-end server of S3; they end by themselves, so no cap is needed.
   */
  private static final double ENGAGE_THROTTLES = 5;

  /**
   * An application that sends less than this share of the documented limit does not cause the
   * overload.
   */
  private static final double SMALL_SHARE_OF_LIMIT = 0.1;

  /** Six reports by default. The driver sees the whole application and need not wait longer. */
  private static final double PATIENCE_SECONDS = 3;

  /** One for the cut, one in which the executors get it, one that shows what it did. */
  private static final int PATIENCE_WINDOWS = 3;

  /**
   * One and a half report periods by default. After that the report is lost or its executor is
   * busy.
   */
  private static final double LATE_SECONDS = 0.75;

  /**
   * An executor that sent no report for three lease times is dead, or sends no requests to the
   * store.
   */
  private static final double LEASES_UNTIL_GONE = 3;

  private final RateConfig config;
  private final double target;
  private final double documentedLimit;
  private final double periodSeconds;
  private final RateLaw law;
  private final Shares shares;
  private final ThrottleCause contest = new ThrottleCause(PATIENCE_SECONDS, PATIENCE_WINDOWS);
  private final Map<String, Executor> executors = new LinkedHashMap<>();

  private Share.Mode mode = Share.Mode.OPEN;
  private double struckRate;
  private double windowStart = Double.NaN;
  private double windowOk;
  private double windowThrottled;
  private double assumedOk;
  private double assumedThrottled;
  private double lastFelt;
  private double sentPerSecond;
  private double busyAt = Double.NaN;

  /** The state of one executor, as its reports show it. */
  static final class Executor {
    private double reportedAt;
    private double okPerSecond;
    private double throttledPerSecond;
    private double busySince = Double.POSITIVE_INFINITY;
    private double throttledSince = Double.POSITIVE_INFINITY;
    private boolean isFresh;
    double recentPerSecond;
    int waiting;

    /** Takes a report, and returns the seconds that it covers. */
    double report(Seen seen, double now, double periodSeconds) {
      double seconds =
          reportedAt == 0 ? periodSeconds : Math.max(periodSeconds / 10, now - reportedAt);
      okPerSecond = seen.ok() / seconds;
      throttledPerSecond = seen.throttled() / seconds;
      double sent = okPerSecond + throttledPerSecond;
      recentPerSecond = Math.max(sent, 0.6 * recentPerSecond + 0.4 * sent);
      busySince = sent == 0 ? Double.POSITIVE_INFINITY : Math.min(busySince, now);
      if (sent == 0) {
        throttledSince = Double.POSITIVE_INFINITY;
      } else if (seen.throttled() > 0) {
        throttledSince = Math.min(throttledSince, now);
      }
      waiting = seen.waiting();
      reportedAt = now;
      isFresh = true;
      return seconds;
    }

    /** Returns true if no report before the last one told of answers. */
    boolean isNew() {
      return busySince >= reportedAt;
    }

    /** Returns true if no report before the last one told of throttled answers. */
    boolean hasJustMetTheLimit() {
      return throttledSince >= reportedAt;
    }

    /** Returns true if the last report is late. */
    boolean isLate(double now) {
      return now - reportedAt > LATE_SECONDS;
    }

    /** Returns true if the executor is dead, or sends no requests to the store. */
    boolean isGone(double now, RateConfig config) {
      return now - reportedAt > config.lease().toNanos() / 1e9 * LEASES_UNTIL_GONE;
    }
  }

  ClusterRate(RateConfig config, Traffic traffic) {
    this.config = config;
    this.target = config.target();
    this.documentedLimit = traffic.documentedLimit();
    this.law = new RateLaw(config.target());
    this.shares = new Shares(config.minRate());
    this.periodSeconds = config.reportPeriod().toNanos() / 1e9;
  }

  /**
   * Adds the executors that another partition of the bucket knows and that have not sent here yet.
   */
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
    double seconds = executor.report(seen, now, periodSeconds);
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

  /**
   * Decides again if the window has enough answers or is long enough, and returns each executor's
   * share.
   */
  Map<String, Share> share(String prefix, double now) {
    executors.values().removeIf(executor -> executor.isGone(now, config));
    boolean isGuess = assumeForSilent(now);
    double seconds = Double.isNaN(windowStart) ? 0 : now - windowStart;
    double told = windowOk + windowThrottled;
    double assumed = assumedOk + assumedThrottled;
    boolean isEnough = told + assumed >= WINDOW_REQUESTS || seconds >= WINDOW_MAX_SECONDS;
    boolean isUnknown = told == 0 && isGuess;
    if (seconds > WINDOW_MIN_SECONDS && isEnough && !isUnknown) {
      double throttled = windowThrottled;
      if (told > 0) {
        throttled += Math.min(assumedThrottled, assumed * windowThrottled / told);
      }
      double sent = told + assumed;
      boolean waits = executors.values().stream().anyMatch(executor -> executor.waiting > 0);
      decide(now, new Window(seconds, sent / seconds, (sent - throttled) / seconds, waits));
      windowStart = now;
      windowOk = 0;
      windowThrottled = 0;
      assumedOk = 0;
      assumedThrottled = 0;
    }
    if (mode.hasRate() || Double.isNaN(busyAt)) {
      busyAt = now;
    }
    return mode.hasRate()
        ? shares.limited(prefix, mode, rate(), sentPerSecond, law.isQuiet(), executors)
        : Shares.unlimited(prefix, mode, executors);
  }

  /**
   * Assumes for each missing report the same answers as in the executor's last report. Of these,
   * not more count as throttled than of the answers that the others tell of: a paused executor
   * whose last report told of many throttled answers is no sign that the throttling lasts. Returns
   * true if there is such an executor that sent requests.
   */
  private boolean assumeForSilent(double now) {
    double before = assumedOk + assumedThrottled;
    for (Executor executor : executors.values()) {
      if (!executor.isFresh && executor.isLate(now)) {
        assumedOk += executor.okPerSecond * periodSeconds;
        assumedThrottled += executor.throttledPerSecond * periodSeconds;
      }
      executor.isFresh = false;
    }
    return assumedOk + assumedThrottled > before;
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
        engage(now, window);
      }
    }
  }

  /**
   * Begins to cap the rate. The window in which a crowd began to send includes the time before
   * that, and what S3 had saved then. So the last reports count in its place: the executors have
   * meanwhile set caps of their own. What S3 had saved is left out: all of it if nothing was sent
   * before these reports, and half of it if they are the first to tell of throttling, since it was
   * spent in them or just before.
   */
  private void engage(double now, Window window) {
    List<Executor> present = executors.values().stream().filter(one -> !one.isLate(now)).toList();
    double ok = present.stream().mapToDouble(one -> one.okPerSecond).sum();
    if (ok == 0 || !law.isFirstOfCrowd(window)) {
      law.engage(window);
      return;
    }
    double sent = ok + present.stream().mapToDouble(one -> one.throttledPerSecond).sum();
    Window lately = new Window(window.seconds(), sent, ok, window.waits());
    double saved = 0;
    if (present.stream().allMatch(Executor::isNew)) {
      saved = RateLaw.SAVED_SECONDS;
    } else if (present.stream().allMatch(Executor::hasJustMetTheLimit)) {
      saved = RateLaw.SAVED_SECONDS / 2;
    }
    double part = periodSeconds / (periodSeconds + saved);
    law.engage(new Window(window.seconds(), part * sent, part * ok, window.waits()), lately);
  }

  private void pace(double now, Window window) {
    if (law.step(window)) {
      lastFelt = now;
    } else if (now - lastFelt > RateLaw.OPEN_AFTER_SECONDS) {
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

  /**
   * Returns true if no executor has sent a request for ten minutes, and there was no cap in that
   * time.
   */
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
