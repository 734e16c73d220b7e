/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.rate.law.AnswerWindow;
import io.penstock.core.rate.law.InFlight;
import io.penstock.core.rate.law.Pacer;
import io.penstock.core.rate.law.RateCut;
import io.penstock.core.rate.law.RateGrowth;
import io.penstock.core.rate.law.RateLaw;
import io.penstock.core.rate.law.RecentAnswers;
import io.penstock.core.rate.law.StartWindow;
import io.penstock.core.rate.law.ThrottleCause;
import io.penstock.core.rate.law.TokenBucket;
import io.penstock.core.rate.report.RateReport.Seen;
import io.penstock.core.rate.report.Share;
import io.penstock.core.request.Repeat;
import io.penstock.core.request.WaitingGroup;
import java.util.Optional;

/**
 * Paces requests adaptively: a {@link StartWindow} limits them until the store throttles; then the
 * rate starts from the rate that the store was measured to serve. While the driver gives it a rate,
 * the pacer follows that, and cuts the rate by itself only when a large share of its requests is
 * throttled. Without a valid share it decides alone. Each class that it uses gives the source of
 * its constants.
 */
public final class AdaptivePacer implements Pacer {
  /**
   * From this throttled share on, a process cuts its rate by itself, even while the driver's share
   * is valid.
   */
  private static final double ALARM = 0.3;

  /**
   * With fewer answers than this, a single 503 may come from a proxy and says nothing about a rate.
   */
  private static final double ANSWERS_MIN = 10;

  /**
   * Longer than the driver's patience: processes that do not talk to each other need time to
   * settle.
   */
  private static final double PATIENCE_SECONDS = 12;

  /** The lowest rate while the store is struck; the store rejects most of these requests. */
  private static final double STRUCK_MIN = 10;

  /**
   * A driver that sees no reason for a cap does not lift one that the process has set more
   * recently: its share may be older than the throttled answers, or they are too few for it. By
   * then, the process has found its rate by itself.
   */
  private static final double OWN_CAP_SECONDS = 10;

  // Its windows are a second or more, so that its patience has many.
  private final ThrottleCause contest = new ThrottleCause(PATIENCE_SECONDS, 1);
  private final RecentAnswers recent = new RecentAnswers();
  private final WaitingGroup crowd = new WaitingGroup();
  private final StartWindow start = new StartWindow();
  private final RateCut cuts;
  private final RateGrowth growth = new RateGrowth();
  private final AnswerWindow judged = new AnswerWindow();
  private final FollowedShare share = new FollowedShare();
  private final InFlight requests = new InFlight();
  private final AnswerCounts unreported = new AnswerCounts();

  private TokenBucket permits; // null without a cap
  private double cappedSince = Double.NEGATIVE_INFINITY;
  private boolean struck;
  private double lastStep;
  private double lastPressure;
  private double most = Double.POSITIVE_INFINITY;

  /**
   * @param minRate requests a second that are always allowed
   * @param floor requests a second below which a cut does not go, as long as the store serves that
   *     many
   */
  AdaptivePacer(double minRate, double floor) {
    this.cuts = new RateCut(minRate, floor);
  }

  @Override
  public synchronized void arrive(long nowNanos) {
    step(nowNanos / 1e9);
    requests.arrives(nowNanos);
  }

  @Override
  public synchronized void leave(long nowNanos) {
    step(nowNanos / 1e9);
    requests.leaves();
  }

  @Override
  public synchronized long take(long nowNanos, double weight) {
    double now = nowNanos / 1e9;
    step(now);
    start.sees(requests.inFlight(), now);
    if (permits == null && !start.admits(requests.inFlight(), now)) {
      return StartWindow.LOOK_NANOS;
    }
    double wait = permits == null ? 0 : permits.take(now, weight);
    if (wait == 0) {
      requests.begins();
      return 0;
    }
    lastPressure = now;
    return (long) Math.ceil(wait * 1e9);
  }

  @Override
  public synchronized void answered(long sentNanos, long nowNanos, double ok, double throttled) {
    double now = nowNanos / 1e9;
    step(now);
    start.sees(requests.inFlight(), now);
    requests.answered(nowNanos);
    recent.add(now, ok, throttled);
    unreported.add(ok, throttled);
    judged.add(ok, throttled);
    start.answered(ok);
    if (throttled == 0) {
      crowd.served(sentNanos, nowNanos);
      return;
    }
    crowd.failed(nowNanos);
    start.end();
    lastPressure = now;
    if (share.isGood(now) && !isAlarming(now) && !isOverload(now)) {
      return;
    }
    if (permits != null) {
      if (!struck && cuts.isDue(sentNanos / 1e9)) {
        permits.rate(cuts.cut(permits.rate(), recent, now), now);
        growth.restart();
      }
    } else if (!contest.isOn(now)
        && (recent.throttled(now) > 1 || recent.all(now) >= ANSWERS_MIN)) {
      engage(now);
    }
  }

  @Override
  public synchronized void lost(long nowNanos) {
    start.sees(requests.inFlight(), nowNanos / 1e9);
    requests.lost();
  }

  /** Returns true if the driver knows of no overload, and there seems to be one here. */
  private boolean isOverload(double now) {
    return share.isOpen() && recent.all(now) >= ANSWERS_MIN;
  }

  private boolean isAlarming(double now) {
    return !share.isUnhelped()
        && recent.all(now) >= ANSWERS_MIN
        && recent.throttledShare(now) >= ALARM;
  }

  /**
   * Begins to cap the rate. The first rate is the service rate that was measured, not a configured
   * one.
   */
  private void engage(double now) {
    double rate = cuts.first(recent, now);
    cappedSince = now;
    permits = new TokenBucket(rate, now);
    contest.begins(rate);
    judged.restart(now);
    growth.seen(2 * rate);
    growth.restart();
  }

  private void step(double now) {
    double seconds = Math.max(0, now - lastStep);
    lastStep = Math.max(lastStep, now);
    if (share.isGood(now)) {
      return;
    }
    if (share.end() && permits != null) {
      contest.begins(permits.rate()); // No valid share any more: the pacer now judges alone.
    }
    if (permits == null) {
      return;
    }
    if (now - lastPressure > RateLaw.OPEN_AFTER_SECONDS) {
      open();
      return;
    }
    if (judged.answers() >= ANSWERS_MIN && judged.seconds(now) >= 1) {
      judge(now);
    }
    if (permits != null && !struck && requests.waiting() > 0 && seconds > 0) {
      double grown = growth.next(permits.rate(), seconds);
      permits.rate(Math.min(grown, Math.max(most, permits.rate())), now);
    }
  }

  private void open() {
    permits = null;
    struck = false;
  }

  private void judge(double now) {
    RateLaw.Window window = judged.take(now, requests.waiting() > 0);
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
        growth.restart();
      }
    }
  }

  /** Follows the driver's share until the given time. */
  synchronized void follow(Share given, long nowNanos, long untilNanos) {
    double now = nowNanos / 1e9;
    step(now);
    if (given.mode() == Share.Mode.OPEN && hasOwnCap(now)) {
      share.follow(given.mode(), now);
      return;
    }
    share.follow(given.mode(), untilNanos / 1e9);
    struck = false;
    if (!given.mode().hasRate()) {
      permits = null;
      return;
    }
    if (permits == null) {
      permits = new TokenBucket(given.rate(), now);
    } else {
      permits.rate(given.rate(), now);
    }
    cappedSince = Double.NEGATIVE_INFINITY; // The cap is the driver's from now on.
    lastPressure = now;
    growth.restart();
  }

  private boolean hasOwnCap(double now) {
    return permits != null && now - cappedSince < OWN_CAP_SECONDS;
  }

  /**
   * Returns the counts of answers since the last call, and the number of requests that wait now.
   */
  synchronized Seen report(String prefix) {
    return unreported.take(prefix, Math.max(0, requests.waiting()));
  }

  /**
   * Sets the rate up to which the rate grows: requests that wait for another limit show nothing.
   */
  synchronized void growTo(double requestsPerSecond) {
    most = requestsPerSecond;
  }

  synchronized void floor(double requestsPerSecond) {
    cuts.floor(requestsPerSecond);
  }

  @Override
  public synchronized boolean isIdle(long nowNanos, long sinceNanos) {
    return isOpen(nowNanos) && !share.isGood(nowNanos / 1e9) && requests.isIdle(sinceNanos);
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
    return permits != null && share.isOpen() ? Repeat.SHORTLY : share.repeat();
  }

  @Override
  public Optional<WaitingGroup> crowd() {
    return Optional.of(crowd);
  }

  @Override
  public synchronized double rate() {
    return permits == null ? Double.POSITIVE_INFINITY : permits.rate();
  }
}
