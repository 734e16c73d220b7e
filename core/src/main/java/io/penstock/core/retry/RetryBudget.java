/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Counts the time that all requests of one task have waited for retries. The budget is bound to the
 * task's thread and passed on to the pool's threads that work for the task. Waits that overlap
 * count once, because the budget measures the task's own time. Safe for use by many threads.
 */
public final class RetryBudget {
  private static final ThreadLocal<RetryBudget> CURRENT = new ThreadLocal<>();

  private long spentNanos;
  private int waiting;
  private long sinceNanos;

  /** Returns the budget of the task that this thread works for, if there is one. */
  public static Optional<RetryBudget> current() {
    return Optional.ofNullable(CURRENT.get());
  }

  /** Begins a task in this thread with a new budget. */
  public static void begin() {
    CURRENT.set(new RetryBudget());
  }

  /** Ends this thread's task. */
  public static void end() {
    CURRENT.remove();
  }

  /**
   * Wraps work for another thread. There the work counts for the task that the calling thread works
   * for now.
   */
  public static Runnable handedOver(Runnable work) {
    RetryBudget budget = CURRENT.get();
    return budget == null ? work : () -> runOn(Optional.of(budget), work);
  }

  /**
   * Runs work for the given task, or for no task. The task that this thread worked for before is
   * restored afterwards.
   */
  public static void runOn(Optional<RetryBudget> account, Runnable work) {
    RetryBudget outer = CURRENT.get();
    set(account.orElse(null));
    try {
      work.run();
    } finally {
      set(outer);
    }
  }

  private static void set(RetryBudget budget) {
    if (budget == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(budget);
    }
  }

  /** Wraps a pool so that its work counts for the task that submits the work. */
  public static Executor handedOverBy(Executor pool) {
    return work -> pool.execute(handedOver(work));
  }

  synchronized Duration spent(long nowNanos) {
    return Duration.ofNanos(spentNanos + (waiting == 0 ? 0 : nowNanos - sinceNanos));
  }

  synchronized void waits(long nowNanos) {
    if (waiting++ == 0) {
      sinceNanos = nowNanos;
    }
  }

  synchronized void goesOn(long nowNanos) {
    if (--waiting == 0) {
      spentNanos += nowNanos - sinceNanos;
    }
  }
}
