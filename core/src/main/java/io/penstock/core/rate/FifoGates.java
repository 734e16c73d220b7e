/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The queues of waiting threads, by partition. A queue exists only while a thread waits in it, so
 * that partitions which no longer exist use no memory. Joining a queue and removing an empty one
 * are atomic: no thread can wait in a queue that other threads do not see.
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

  /** Returns true if the thread is among the first {@code count} that wait for a second attempt. */
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

  /** Removes the thread from its queue, and returns the thread that is now the first, or null. */
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
