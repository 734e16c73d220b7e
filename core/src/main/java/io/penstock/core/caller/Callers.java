/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.caller;

import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Finds the callers of requests. Tasks bind their origin to their threads; the threads of a driver
 * belong to nobody, so the application says for what they work. Safe for use by many threads.
 */
public final class Callers {
  private volatile Supplier<Origin> unbound = () -> Origin.NONE;

  /**
   * Sets what says the origin of the calling thread's work where no task has bound one. Called for
   * each request, so it must be cheap; it must not fail.
   */
  public void unbound(Supplier<Origin> origins) {
    unbound = origins;
  }

  /** Returns the caller that this thread works for. */
  public Caller current() {
    Caller bound = Caller.current();
    return bound.origin().equals(Origin.NONE) ? bound.withOrigin(unbound.get()) : bound;
  }

  /** Wraps a pool so that its work counts for the task that submits the work. */
  public Executor handedOverBy(Executor pool) {
    return work -> pool.execute(current().handedOver(work));
  }
}
