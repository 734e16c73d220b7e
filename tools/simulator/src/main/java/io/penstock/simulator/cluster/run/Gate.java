/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.run;

import java.util.ArrayDeque;
import java.util.Deque;

/** The requests of one executor that wait for permits of one partition, in FIFO order. */
final class Gate {
  private final EventQueue events;
  private final Deque<Worker> queue = new ArrayDeque<>();
  private long wakesAt = -1;

  Gate(EventQueue events) {
    this.events = events;
  }

  int waiting() {
    return queue.size();
  }

  void arrive(Worker worker, long now) {
    worker.pacer().arrive(now);
    queue.add(worker);
    if (queue.size() == 1) {
      serve(now);
    }
  }

  /** Asks again for permits, because a new lease has arrived. */
  void ask(long now) {
    if (!queue.isEmpty()) {
      serve(now);
    }
  }

  private void wake(long now) {
    if (now == wakesAt) {
      serve(now);
    }
  }

  private void serve(long now) {
    wakesAt = -1;
    while (!queue.isEmpty()) {
      long wait = queue.peek().pacer().take(now, 1);
      if (wait > 0) {
        wakesAt = now + wait;
        events.add(wakesAt, this::wake);
        return;
      }
      queue.poll().send(now);
    }
  }

  /** Removes all waiting requests, because the executor has left. */
  void clear(long now) {
    queue.forEach(worker -> worker.pacer().leave(now));
    queue.clear();
  }
}
