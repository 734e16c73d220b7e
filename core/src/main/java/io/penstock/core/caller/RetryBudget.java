/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.caller;

import java.time.Duration;

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
