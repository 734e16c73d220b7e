/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/** Lets waiting threads through one at a time, in the order in which they came. */
final class Turnstile {
  private final Queue<Thread> queue = new ConcurrentLinkedQueue<>();

  /** What a waiting thread looks at, at once and now and then; it throws to give up. */
  @FunctionalInterface
  interface Look {
    void run() throws IOException;
  }

  boolean isFree() {
    return queue.isEmpty();
  }

  /** Returns true if fewer than so many threads stand before the calling one. */
  boolean isAmongFirst(int count) {
    return queue.stream().limit(count).anyMatch(thread -> thread == Thread.currentThread());
  }

  /**
   * Returns when the calling thread is the first; it must {@link #leave} then, or when it fails.
   */
  void enter(long lookNanos, Look look) throws IOException, InterruptedException {
    Thread me = Thread.currentThread();
    queue.add(me);
    while (queue.peek() != me) {
      look.run();
      LockSupport.parkNanos(this, lookNanos);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  void leave() {
    queue.remove(Thread.currentThread());
    LockSupport.unpark(queue.peek());
  }
}
