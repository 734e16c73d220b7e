/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.caller.Cancellation;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Limits the parts of one object that wait or are being sent. The object has permits of its own,
 * which no other object can take. It may take more from those that all objects of the process
 * share: a task that writes alone sends many parts at a time, and many tasks that write at the same
 * time send few each.
 */
final class PartPermits {
  private final Semaphore own;
  private final Semaphore spare;

  /**
   * @param count number of permits that belong to the object
   * @param spare the permits that the objects of the process share
   */
  PartPermits(int count, Semaphore spare) {
    this.own = new Semaphore(count);
    this.spare = spare;
  }

  /** A permit that was taken. */
  @FunctionalInterface
  interface Permit {
    /** Gives the permit back. Must be called exactly once. */
    void release();
  }

  /**
   * Takes a permit. Waits until there is one.
   *
   * @throws IOException if the task of this thread is cancelled
   */
  Permit acquire() throws IOException, InterruptedException {
    while (true) {
      if (own.tryAcquire()) {
        return own::release;
      }
      if (spare.tryAcquire()) {
        return spare::release;
      }
      if (own.tryAcquire(Cancellation.LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
        return own::release;
      }
      Cancellation.checkCurrent();
    }
  }
}
