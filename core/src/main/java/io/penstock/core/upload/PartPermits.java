/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.caller.Cancellation;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Limits the parts of one object that wait or are being sent. The object has permits of its own,
 * which no other object can take. It may take more from those that all objects of the process
 * share: a task that writes alone sends many parts at a time, and many tasks that write at the same
 * time send few each. It takes no more where more parts at once gain nothing, because the machine
 * or its network is the limit: they would only fill the buffers.
 */
final class PartPermits {
  private final Semaphore own;
  private final Semaphore spare;
  private final BooleanSupplier gainsByMore;

  /**
   * @param count number of permits that belong to the object
   * @param spare the permits that the objects of the process share
   * @param gainsByMore tells whether more parts at once are of use
   */
  PartPermits(int count, Semaphore spare, BooleanSupplier gainsByMore) {
    this.own = new Semaphore(count);
    this.spare = spare;
    this.gainsByMore = gainsByMore;
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
      if (gainsByMore.getAsBoolean() && spare.tryAcquire()) {
        return spare::release;
      }
      if (own.tryAcquire(Cancellation.LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
        return own::release;
      }
      Cancellation.checkCurrent();
    }
  }
}
