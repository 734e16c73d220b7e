/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.draw;

import io.penstock.loggen.plan.Call;
import java.util.Arrays;

/**
 * The requests of one chunk. They are stored in columns, because a chunk may have millions of them.
 */
public final class CallBatch {
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

  CallBatch(int chunk) {
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
  public int[] order() {
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
  public long id(int index) {
    return (long) chunk << INDEX_BITS | index;
  }

  /** Returns the time at which a request is sent. */
  public long millis(int index) {
    return millis[index];
  }

  /** Returns the number of the file or the read that a request belongs to. */
  public long subject(int index) {
    return subject[index];
  }

  /** Returns the kind of a request. */
  public Call call(int index) {
    return call[index];
  }

  /** Returns true if a request is throttled. */
  public boolean isThrottled(int index) {
    return isThrottled[index];
  }

  /** Returns the time that a request takes. */
  public int latencyMillis(int index) {
    return latency[index];
  }

  /** Returns the number of the part that a request uploads. */
  public int part(int index) {
    return part[index];
  }
}
