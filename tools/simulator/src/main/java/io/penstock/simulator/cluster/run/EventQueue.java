/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.run;

import java.util.Arrays;

/**
 * A queue of events ordered by time. Events of the same time run in the order in which they were
 * added.
 */
final class EventQueue {
  private static final int WAYS = 4;

  private long[] times = new long[1 << 12];
  private long[] orders = new long[1 << 12];
  private Event[] events = new Event[1 << 12];
  private int size;
  private long added;
  private long now;

  /** An action that runs at its time. */
  @FunctionalInterface
  interface Event {
    void happen(long nowNanos);
  }

  void add(long atNanos, Event event) {
    if (atNanos < now) {
      throw new IllegalArgumentException("it is %d ns, too late for %d".formatted(now, atNanos));
    }
    if (size == times.length) {
      times = Arrays.copyOf(times, 2 * size);
      orders = Arrays.copyOf(orders, 2 * size);
      events = Arrays.copyOf(events, 2 * size);
    }
    rise(size++, atNanos, added++, event);
  }

  boolean isEmpty() {
    return size == 0;
  }

  long nowNanos() {
    return now;
  }

  /** Runs the next event. */
  void next() {
    Event first = events[0];
    now = times[0];
    size--;
    long time = times[size];
    long order = orders[size];
    Event last = events[size];
    events[size] = null;
    if (size > 0) {
      sink(time, order, last);
    }
    first.happen(now);
  }

  private void rise(int from, long time, long order, Event event) {
    int at = from;
    while (at > 0) {
      int parent = (at - 1) / WAYS;
      if (times[parent] <= time) {
        break;
      }
      move(parent, at);
      at = parent;
    }
    put(at, time, order, event);
  }

  private void sink(long time, long order, Event event) {
    int at = 0;
    int child = 1;
    while (child < size) {
      int least = child;
      int end = Math.min(child + WAYS, size);
      for (int other = child + 1; other < end; other++) {
        if (isBefore(times[other], orders[other], least)) {
          least = other;
        }
      }
      if (isBefore(time, order, least)) {
        break;
      }
      move(least, at);
      at = least;
      child = WAYS * at + 1;
    }
    put(at, time, order, event);
  }

  private boolean isBefore(long time, long order, int other) {
    return time < times[other] || (time == times[other] && order < orders[other]);
  }

  private void move(int from, int to) {
    put(to, times[from], orders[from], events[from]);
  }

  private void put(int at, long time, long order, Event event) {
    times[at] = time;
    orders[at] = order;
    events[at] = event;
  }
}
