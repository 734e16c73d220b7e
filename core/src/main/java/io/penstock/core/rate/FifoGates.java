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
  private final Map<String, Queue<Waiting>> queues = new ConcurrentHashMap<>();

  /** A thread in a queue. */
  record Waiting(Thread thread, boolean isBeside) {}

  /** Returns the gate of the partition. */
  FifoGate at(String partition) {
    return new FifoGate(this, partition);
  }

  boolean isFree(String partition) {
    return !queues.containsKey(partition);
  }

  /**
   * Returns true if the thread is among the first so many of those that wait for a second attempt.
   */
  boolean isAmongFirstBeside(String partition, Thread thread, int count) {
    Queue<Waiting> queue = queues.get(partition);
    return queue != null
        && queue.stream()
            .filter(Waiting::isBeside)
            .limit(count)
            .anyMatch(waiting -> waiting.thread() == thread);
  }

  Queue<Waiting> join(String partition, Waiting waiting) {
    return queues.compute(
        partition,
        (same, known) -> {
          Queue<Waiting> queue = known == null ? new ConcurrentLinkedQueue<>() : known;
          queue.add(waiting);
          return queue;
        });
  }

  /** Returns the thread that is the first now, or null. */
  Thread leave(String partition, Thread thread) {
    Queue<Waiting> rest =
        queues.computeIfPresent(
            partition,
            (same, queue) -> {
              queue.removeIf(waiting -> waiting.thread() == thread);
              return queue.isEmpty() ? null : queue;
            });
    Waiting first = rest == null ? null : rest.peek();
    return first == null ? null : first.thread();
  }

  /** Returns how many partitions have a queue. */
  int size() {
    return queues.size();
  }
}
