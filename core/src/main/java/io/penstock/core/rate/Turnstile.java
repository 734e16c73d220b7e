/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;

/** Lets waiting threads through one at a time, in the order in which they came. */
final class Turnstile {
  private final Turnstiles turnstiles;
  private final String partition;

  Turnstile(Turnstiles turnstiles, String partition) {
    this.turnstiles = turnstiles;
    this.partition = partition;
  }

  /** A look that a waiting thread takes at once and now and then; it throws to give up. */
  @FunctionalInterface
  interface Look {
    void run() throws IOException;
  }

  boolean isFree() {
    return turnstiles.isFree(partition);
  }

  /** Returns true if fewer than so many threads stand before the calling one. */
  boolean isAmongFirst(int count) {
    return turnstiles.isAmongFirst(partition, Thread.currentThread(), count);
  }

  /**
   * Returns when the calling thread is the first; it must {@link #leave} then, or when it fails.
   */
  void enter(long lookNanos, Look look) throws IOException, InterruptedException {
    Thread me = Thread.currentThread();
    Queue<Thread> queue = turnstiles.join(partition, me);
    while (queue.peek() != me) {
      look.run();
      LockSupport.parkNanos(this, lookNanos);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  void leave() {
    LockSupport.unpark(turnstiles.leave(partition, Thread.currentThread()));
  }
}
