/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/** A key range of the store, for one kind of traffic. */
final class Partition {
  private final FrontEndBucket[] frontEnds;
  private final SplittableRandom chance;
  private final EventQueue events;
  private final List<Deque<Worker>> queues = new ArrayList<>();
  private int turn;
  private boolean waits;

  Partition(FrontEndBucket[] frontEnds, SplittableRandom chance, EventQueue events, int clusters) {
    this.frontEnds = frontEnds;
    this.chance = chance;
    this.events = events;
    for (int i = 0; i < clusters; i++) {
      queues.add(new ArrayDeque<>());
    }
  }

  boolean admits(long now, double cost) {
    int frontEnd = frontEnds.length == 1 ? 0 : chance.nextInt(frontEnds.length);
    return frontEnds[frontEnd].admits(now, cost);
  }

  /** Admits a request at once, or queues it until its cluster's turn. */
  void queue(Worker worker, int cluster, long now) {
    queues.get(cluster).add(worker);
    if (!waits) {
      serve(now);
    }
  }

  private void serve(long now) {
    waits = false;
    for (Deque<Worker> next = next(); next != null; next = next()) {
      double cost = next.element().cost();
      if (!frontEnds[0].admits(now, cost)) {
        waits = true;
        events.add(now + frontEnds[0].nanosUntilFree(now, cost), this::serve);
        return;
      }
      turn++;
      next.poll().admitted(now);
    }
  }

  /** Returns the queue whose turn is next; null when no request waits. */
  private Deque<Worker> next() {
    for (int i = 0; i < queues.size(); i++) {
      Deque<Worker> queue = queues.get(turn % queues.size());
      if (!queue.isEmpty()) {
        return queue;
      }
      turn++;
    }
    return null;
  }

  void audit() {
    for (FrontEndBucket frontEnd : frontEnds) {
      frontEnd.audit();
    }
  }
}
