/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.run;

import io.penstock.core.config.Settings;
import io.penstock.core.rate.law.Pacer;
import io.penstock.core.rate.report.Traffic;
import io.penstock.core.request.Repeat;
import io.penstock.core.request.WaitingGroup;
import io.penstock.core.retry.RetryConfig;
import io.penstock.core.retry.RetryDecider;
import io.penstock.core.retry.RetryDecider.Facts;
import io.penstock.core.retry.RetryDecider.Failures;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.simulator.cluster.scenario.SendPolicy;
import io.penstock.simulator.cluster.scenario.StormSpec;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A thread of an executor: computes, waits for a permit, sends a request, and repeats. */
final class Worker {
  /** A thread with a long wait checks at this interval whether it must wake up. */
  private static final long LOOK_NANOS = 50_000_000;

  /** A rejection takes 10 to 30 ms. */
  private static final long REJECT_MIN_NANOS = 10_000_000;

  private static final long REJECT_SPREAD_NANOS = 20_000_000;

  private static final RetryDecider RETRY =
      new RetryDecider(RetryConfig.from(Settings.of(Map.of())));
  private static final Optional<Duration> NOT_SAID = Optional.empty();

  private final Cluster cluster;
  private final Executor executor;
  private final EventQueue events;
  private final EventQueue.Event onRequest = this::request;
  private final EventQueue.Event onAnswer = this::answer;
  private final EventQueue.Event onNap = this::nap;

  private Cursor cursor;
  private Pacer pacer;
  private Failures failures = Failures.NONE;
  private long firstNanos;
  private long sentNanos;
  private long failedNanos;
  private long napEndNanos;
  private boolean calledEarly;
  private boolean throttled;
  private boolean inFlight;

  Worker(Cluster cluster, Executor executor, EventQueue events) {
    this.cluster = cluster;
    this.executor = executor;
    this.events = events;
  }

  Executor executor() {
    return executor;
  }

  /** Returns the current task; null when the thread is idle. */
  Task task() {
    return cursor == null ? null : cursor.task();
  }

  boolean isInFlight() {
    return inFlight;
  }

  /** Starts the next task, or becomes idle when there is none. */
  void begin(long now) {
    Task task = executor.isGone() ? null : cluster.nextTask(this);
    cursor = task == null ? null : new Cursor(cluster.job(), task);
    if (cursor != null) {
      goOn(now);
    }
  }

  private void goOn(long now) {
    if (!cursor.next()) {
      cluster.finished(cursor.task(), now);
      begin(now);
      return;
    }
    failures = Failures.NONE;
    calledEarly = false;
    if (cursor.computeNanos() == 0) {
      request(now);
    } else {
      events.add(now + cursor.computeNanos(), onRequest);
    }
  }

  private void request(long now) {
    if (executor.isGone()) {
      return;
    }
    StormSpec storm = cluster.store().storm();
    if (failures.total() > 0 && storm.isOn(failedNanos)) {
      cluster.tally().sleptInto(now - storm.endNanos());
    }
    if (cluster.policy() == SendPolicy.IDEAL) {
      partition().queue(this, cluster.number(), now);
      return;
    }
    Traffic traffic = cursor.api().traffic();
    pacer = executor.pacer(traffic, cluster.keyAt(cursor.place()));
    executor.gate(traffic, pacer).arrive(this, now);
  }

  Pacer pacer() {
    return pacer;
  }

  /** Returns the tokens that the current request costs. */
  double cost() {
    return cluster.store().cost(cursor.api());
  }

  private Partition partition() {
    Traffic traffic = cursor.api().traffic();
    return cluster.store().partitionOf(traffic, cursor.place());
  }

  /** Sends the request after its permit was granted. */
  void send(long now) {
    leaveFor(now, cluster.store().isStruck(now) || !partition().admits(now, cost()));
  }

  /** Sends the request after the oracle has admitted it. */
  void admitted(long now) {
    if (!executor.isGone()) {
      leaveFor(now, false);
    }
  }

  private void leaveFor(long now, boolean rejected) {
    if (inFlight) {
      throw new IllegalStateException("a thread has one request at a time");
    }
    inFlight = true;
    sentNanos = now;
    if (failures.total() == 0) {
      firstNanos = now;
    }
    throttled = rejected;
    cluster.tally().sent(cursor.api(), now);
    long nanos =
        rejected
            ? REJECT_MIN_NANOS + (long) (REJECT_SPREAD_NANOS * cluster.jitter().nextDouble())
            : cluster.store().latency(cursor.task().latency());
    events.add(now + nanos, onAnswer);
  }

  private void answer(long now) {
    if (!inFlight) {
      throw new IllegalStateException("a request is answered once");
    }
    inFlight = false;
    if (pacer != null) {
      pacer.answered(sentNanos, now, 1, throttled);
    }
    if (throttled) {
      cluster.tally().throttled(cursor.api(), now);
    } else {
      cluster.tally().ok(cursor.api(), now);
    }
    if (executor.isGone()) {
      return;
    }
    if (throttled) {
      repeat(now);
    } else {
      goOn(now);
    }
  }

  private void repeat(long now) {
    failedNanos = now;
    Repeat repeat = pacer.repeat();
    failures = calledEarly ? failures.plusUncounted() : failures.plus(Kind.THROTTLED, repeat);
    if (calledEarly) {
      pacer.crowd().ifPresent(WaitingGroup::calledInVain);
      calledEarly = false;
    }
    Duration elapsed = Duration.ofNanos(now - firstNanos);
    double draw = cluster.jitter().nextDouble();
    Optional<Duration> delay =
        RETRY
            .next(
                new Facts(
                    Kind.THROTTLED, true, repeat, failures, elapsed, Duration.ZERO, NOT_SAID, draw))
            .delay();
    if (delay.isEmpty()) {
      cluster.tally().failed();
      goOn(now);
    } else if (repeat == Repeat.BACK_OFF
        && pacer.crowd().isPresent()
        && delay.get().toNanos() > WaitingGroup.SHORT_NANOS) {
      pacer.crowd().get().enter();
      napEndNanos = now + delay.get().toNanos();
      nap(now);
    } else {
      events.add(now + delay.get().toNanos(), onRequest);
    }
  }

  private void nap(long now) {
    WaitingGroup crowd = pacer.crowd().orElseThrow();
    calledEarly = now < napEndNanos && crowd.calls();
    if (now < napEndNanos && !calledEarly) {
      events.add(Math.min(napEndNanos, now + LOOK_NANOS), onNap);
      return;
    }
    crowd.leave();
    request(now);
  }
}
