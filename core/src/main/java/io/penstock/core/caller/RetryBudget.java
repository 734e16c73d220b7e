/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.caller;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Counts the time that all requests of one task have waited for retries. The budget is bound to the
 * task's thread, as a part of its {@link Caller}, and passed on to the pool's threads that work for
 * the task. Waits that overlap count once, because the budget measures the task's own time. Safe
 * for use by many threads.
 */
public final class RetryBudget {
  private long spentNanos;
  private int waiting;
  private long sinceNanos;

  /** Returns the budget of the task that this thread works for, if there is one. */
  public static Optional<RetryBudget> current() {
    return Caller.current().budget();
  }

  /** Begins a task in this thread with a new budget. */
  public static void begin() {
    Caller.current().withBudget(Optional.of(new RetryBudget())).bind();
  }

  /** Ends this thread's task. */
  public static void end() {
    Caller.current().withBudget(Optional.empty()).bind();
  }

  /**
   * Wraps work for another thread. There the work counts for the task that the calling thread works
   * for now.
   */
  public static Runnable handedOver(Runnable work) {
    Optional<RetryBudget> budget = current();
    return budget.isEmpty() ? work : () -> runOn(budget, work);
  }

  /**
   * Runs work for the given task, or for no task. The task that this thread worked for before is
   * restored afterwards.
   */
  public static void runOn(Optional<RetryBudget> account, Runnable work) {
    Caller.current().withBudget(account).run(work);
  }

  /** Wraps a pool so that its work counts for the task that submits the work. */
  public static Executor handedOverBy(Executor pool) {
    return work -> pool.execute(handedOver(work));
  }

  /** Returns how long the task has waited so far. */
  public synchronized Duration spent(long nowNanos) {
    return Duration.ofNanos(spentNanos + (waiting == 0 ? 0 : nowNanos - sinceNanos));
  }

  /** Records that a request begins to wait. Each call is followed by one of {@link #goesOn}. */
  public synchronized void waits(long nowNanos) {
    if (waiting++ == 0) {
      sinceNanos = nowNanos;
    }
  }

  /** Records that a request waits no more. */
  public synchronized void goesOn(long nowNanos) {
    if (--waiting == 0) {
      spentNanos += nowNanos - sinceNanos;
    }
  }
}
