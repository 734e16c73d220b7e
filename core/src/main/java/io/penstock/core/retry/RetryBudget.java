/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * The time that one task has waited for retries, of all its requests together. It is bound to the
 * task's thread and handed over to the pool's threads that work for it. Waits that overlap count
 * once: it is the time of the task that is spent, however many of its requests wait. Safe for use
 * by many threads.
 */
public final class RetryBudget {
  private static final ThreadLocal<RetryBudget> CURRENT = new ThreadLocal<>();

  private long spentNanos;
  private int waiting;
  private long sinceNanos;

  /** The budget of the task that this thread works for, if it works for one. */
  public static Optional<RetryBudget> current() {
    return Optional.ofNullable(CURRENT.get());
  }

  /** Begins a task in this thread, which has waited for nothing yet. */
  public static void begin() {
    CURRENT.set(new RetryBudget());
  }

  /** This thread's task is over. */
  public static void end() {
    CURRENT.remove();
  }

  /** The work, for another thread, on account of the task that this thread works for. */
  public static Runnable handedOver(Runnable work) {
    RetryBudget budget = CURRENT.get();
    return budget == null ? work : () -> runOn(Optional.of(budget), work);
  }

  /** Runs work on account of a task, or of none, whatever this thread worked for before. */
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

  /** The pool, whose work is on account of the task that hands it in. */
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
