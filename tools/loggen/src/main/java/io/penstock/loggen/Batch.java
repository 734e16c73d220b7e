/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen;

import java.util.Arrays;

/**
 * The requests of one chunk. They are stored in columns, because a chunk may have millions of them.
 */
final class Batch {
  private static final int INDEX_BITS = 20;
  private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;

  private final int chunk;
  private int size;
  private long[] millis = new long[1 << 15];
  private long[] subject = new long[1 << 15];
  private Call[] call = new Call[1 << 15];
  private boolean[] isThrottled = new boolean[1 << 15];
  private int[] latency = new int[1 << 15];
  private short[] part = new short[1 << 15];

  Batch(int chunk) {
    this.chunk = chunk;
  }

  /**
   * Adds a request.
   *
   * @param at milliseconds from the job's start
   * @param subject number of the file that is written, or number of the read
   */
  void add(double at, long subject, Call call, int part, int latencyMillis, boolean isThrottled) {
    if (size == millis.length) {
      grow();
    }
    this.millis[size] = (long) at;
    this.subject[size] = subject;
    this.call[size] = call;
    this.isThrottled[size] = isThrottled;
    this.latency[size] = latencyMillis;
    this.part[size] = (short) part;
    size++;
  }

  private void grow() {
    int capacity = 2 * size;
    if (capacity > INDEX_MASK) {
      throw new IllegalStateException("a chunk of more than " + INDEX_MASK + " requests");
    }
    millis = Arrays.copyOf(millis, capacity);
    subject = Arrays.copyOf(subject, capacity);
    call = Arrays.copyOf(call, capacity);
    isThrottled = Arrays.copyOf(isThrottled, capacity);
    latency = Arrays.copyOf(latency, capacity);
    part = Arrays.copyOf(part, capacity);
  }

  int size() {
    return size;
  }

  /** Returns the indices of the requests, ordered by time. */
  int[] order() {
    long[] keys = new long[size];
    for (int i = 0; i < size; i++) {
      keys[i] = millis[i] << INDEX_BITS | i;
    }
    Arrays.sort(keys);
    int[] order = new int[size];
    for (int i = 0; i < size; i++) {
      order[i] = (int) keys[i] & INDEX_MASK;
    }
    return order;
  }

  /** Returns an id that is unique within the set of logs. */
  long id(int index) {
    return (long) chunk << INDEX_BITS | index;
  }

  long millis(int index) {
    return millis[index];
  }

  long subject(int index) {
    return subject[index];
  }

  Call call(int index) {
    return call[index];
  }

  boolean isThrottled(int index) {
    return isThrottled[index];
  }

  int latencyMillis(int index) {
    return latency[index];
  }

  int part(int index) {
    return part[index];
  }
}
