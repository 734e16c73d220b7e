/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.rate.FifoGates.Waiting;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;

/** Lets waiting threads through one at a time, in their order of arrival. */
final class FifoGate {
  private final FifoGates gates;
  private final String partition;

  FifoGate(FifoGates gates, String partition) {
    this.gates = gates;
    this.partition = partition;
  }

  /**
   * A check that a waiting thread runs at once and then repeatedly. It throws to end the waiting.
   */
  @FunctionalInterface
  interface Look {
    void run() throws IOException;
  }

  boolean isFree() {
    return gates.isFree(partition);
  }

  /**
   * Returns true if the calling thread is among the first {@code count} waiting second attempts.
   */
  boolean isAmongFirstBeside(int count) {
    return gates.isAmongFirstBeside(partition, Thread.currentThread(), count);
  }

  /**
   * Waits until the calling thread is the first in the queue. The thread must call {@link #leave}
   * afterwards, also if this method throws.
   *
   * @param isBeside whether it waits for a second attempt
   */
  void enter(boolean isBeside, long lookNanos, Look look) throws IOException, InterruptedException {
    Thread me = Thread.currentThread();
    Queue<Waiting> queue = gates.join(partition, new Waiting(me, isBeside));
    while (true) {
      Waiting first = queue.peek();
      if (first != null && first.thread() == me) {
        return;
      }
      look.run();
      LockSupport.parkNanos(this, lookNanos);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  void leave() {
    LockSupport.unpark(gates.leave(partition, Thread.currentThread()));
  }
}
