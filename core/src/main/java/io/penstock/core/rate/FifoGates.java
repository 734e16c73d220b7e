/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The queues of waiting threads, by partition. A queue is there only while somebody waits in it, so
 * that names of partitions which come and go leave nothing behind. To join a queue and to take an
 * empty one away are atomic: nobody waits in a queue that others do not see.
 */
final class FifoGates {
  private final Map<String, Queue<Thread>> queues = new ConcurrentHashMap<>();

  /** Returns the gate of the partition. */
  FifoGate at(String partition) {
    return new FifoGate(this, partition);
  }

  boolean isFree(String partition) {
    return !queues.containsKey(partition);
  }

  /** Returns true if fewer than so many threads stand before this one. */
  boolean isAmongFirst(String partition, Thread thread, int count) {
    Queue<Thread> queue = queues.get(partition);
    return queue != null && queue.stream().limit(count).anyMatch(waiting -> waiting == thread);
  }

  Queue<Thread> join(String partition, Thread thread) {
    return queues.compute(
        partition,
        (same, known) -> {
          Queue<Thread> queue = known == null ? new ConcurrentLinkedQueue<>() : known;
          queue.add(thread);
          return queue;
        });
  }

  /** Returns the thread that is the first now, or null. */
  Thread leave(String partition, Thread thread) {
    Queue<Thread> rest =
        queues.computeIfPresent(
            partition,
            (same, queue) -> {
              queue.remove(thread);
              return queue.isEmpty() ? null : queue;
            });
    return rest == null ? null : rest.peek();
  }

  /** Returns how many partitions have a queue. */
  int size() {
    return queues.size();
  }
}
