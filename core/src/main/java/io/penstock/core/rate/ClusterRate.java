/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.rate.Report.Seen;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What all executors together may send to one partition. It aims at a small share of throttled
 * answers instead of none: without any, nobody would know what the store could take. The constants
 * and their reasons are in docs/rate-control.md.
 */
final class ClusterRate {
  private static final double WINDOW_REQUESTS = 40;
  private static final double WINDOW_SECONDS = 2;
  private static final double ENGAGE_THROTTLES = 5;
  private static final double BAD = 0.02;
  private static final double OPEN_AFTER_SECONDS = 300;
  private static final double SMALL_SHARE_OF_LIMIT = 0.1;

  private final double target;
  private final double documentedLimit;
  private final Shares shares;
  private final Contest contest = new Contest();

  private final Map<String, Executor> executors = new LinkedHashMap<>();
  private double windowStart = Double.NaN;
  private double windowOk;
  private double windowThrottled;
  private double rate = Double.POSITIVE_INFINITY;
  private double known;
  private double servedSmoothed;
  private double limitedSeconds;
  private double lastPressure;
  private double sentPerSecond;
  private Share.Mode mode = Share.Mode.OPEN;

  /** What is known of one executor. */
  static final class Executor {
    double reportedAt;
    double okPerSecond;
    double throttledPerSecond;
    double recentPerSecond;
    int waiting;
    boolean fresh;
  }

  ClusterRate(RateConfig config, Traffic traffic) {
    this.target = config.target();
    this.documentedLimit = traffic.documentedLimit();
    this.shares = new Shares(config.minRate());
    this.silentMax = config.lease().toNanos() / 1e9 * 3;
  }

  private final double silentMax;

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
    double seconds = executor.reportedAt == 0 ? 0.5 : Math.max(0.05, now - executor.reportedAt);
    executor.okPerSecond = seen.ok() / seconds;
    executor.throttledPerSecond = seen.throttled() / seconds;
    double sent = executor.okPerSecond + executor.throttledPerSecond;
    executor.recentPerSecond = Math.max(sent, 0.6 * executor.recentPerSecond + 0.4 * sent);
    executor.waiting = seen.waiting();
    executor.reportedAt = now;
    executor.fresh = true;
    windowOk += seen.ok();
    windowThrottled += seen.throttled();
    if (Double.isNaN(windowStart)) {
      windowStart = now - seconds;
    }
  }

  void forget(String name) {
    executors.remove(name);
  }

  /** Decides anew and shares out. */
  Map<String, Share> share(String prefix, double now) {
    executors.values().removeIf(executor -> now - executor.reportedAt > silentMax);
    assumeForSilent(now);
    double seconds = Double.isNaN(windowStart) ? 0 : now - windowStart;
    double sent = windowOk + windowThrottled;
    if (seconds > 0.2 && (sent >= WINDOW_REQUESTS || seconds >= WINDOW_SECONDS)) {
      decide(now, seconds, windowOk, windowThrottled);
      windowStart = now;
      windowOk = 0;
      windowThrottled = 0;
    }
    return mode == Share.Mode.PACED
        ? shares.paced(prefix, rate, sentPerSecond, executors)
        : Shares.unlimited(prefix, mode, executors);
  }

  /** A report that got lost is taken to have been as the last one. */
  private void assumeForSilent(double now) {
    for (Executor executor : executors.values()) {
      if (!executor.fresh && now - executor.reportedAt > 0.75) {
        windowOk += executor.okPerSecond * 0.5;
        windowThrottled += executor.throttledPerSecond * 0.5;
      }
      executor.fresh = false;
    }
  }

  private void decide(double now, double seconds, double ok, double throttled) {
    double sent = ok + throttled;
    double share = sent == 0 ? 0 : throttled / sent;
    sentPerSecond = sent / seconds;
    double served = ok / seconds;
    servedSmoothed = servedSmoothed == 0 ? served : 0.7 * servedSmoothed + 0.3 * served;
    if (contest.isOn(now)) {
      return;
    }
    if (mode != Share.Mode.PACED) {
      mode = Share.Mode.OPEN;
      if (throttled >= ENGAGE_THROTTLES && share >= target) {
        mode = Share.Mode.PACED;
        rate = sentPerSecond;
        known = served;
        limitedSeconds = 0;
        lastPressure = now;
        contest.begins(sentPerSecond);
        adjust(now, seconds, share, served);
      }
      return;
    }
    adjust(now, seconds, share, served);
    if (contest.isLost(now, seconds, share, sentPerSecond)) {
      mode =
          sentPerSecond < SMALL_SHARE_OF_LIMIT * documentedLimit
              ? Share.Mode.CONTESTED_BY_LARGER
              : Share.Mode.CONTESTED;
      rate = Double.POSITIVE_INFINITY;
    }
  }

  private void adjust(double now, double seconds, double share, double served) {
    if (share > target) {
      lastPressure = now;
      limitedSeconds = 0;
    }
    if (share > BAD) {
      known = sentPerSecond * Math.max(0.5, 1 - 0.7 * share);
      rate = Math.min(rate, 0.97 * known);
    } else if (share > target) {
      rate *= 1 - 1.5 * (share - target);
      known = Math.min(known, served);
    } else {
      known = Math.max(known, servedSmoothed);
      recover(now, seconds, share);
    }
  }

  private void recover(double now, double seconds, double share) {
    if (rate < known) {
      rate = Math.min(known, rate + 0.05 * known * seconds);
      return;
    }
    boolean waits = executors.values().stream().anyMatch(executor -> executor.waiting > 0);
    if (waits && sentPerSecond > 0.9 * rate) {
      lastPressure = now;
      limitedSeconds += seconds;
      double quiet = Math.max(0, limitedSeconds / 6 - 1);
      double growth = 0.005 * (1 - share / target) + 0.03 * quiet * quiet;
      rate *= 1 + Math.min(0.25, growth) * seconds;
    } else if (now - lastPressure > OPEN_AFTER_SECONDS) {
      mode = Share.Mode.OPEN;
      rate = Double.POSITIVE_INFINITY;
    }
  }

  double rate() {
    return mode == Share.Mode.PACED ? rate : Double.POSITIVE_INFINITY;
  }
}
