/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.endpoint;

/**
 * Requests that failed for one reason and wait long for their next attempts. Good answers to others
 * show that the reason is gone; then those who wait are called one by one, long before their time:
 * a crowd that went on at once might bring the trouble back.
 *
 * <p>A run of good answers calls one for each further answer, a run of twice the length two. When a
 * called one fails again, the next run must be twice as long. Reads no clock; times are nanoseconds
 * of one monotonic clock. Safe for many threads.
 */
public final class Crowd {
  /** Waits up to this are slept through. */
  public static final long SHORT_NANOS = 1_000_000_000;

  /** A run of so many good answers is no chance where one in four is throttled: 1 in 100. */
  private static final int RUN = 16;

  private static final int RUN_MAX = 1024;

  /** While nobody is served, one of those who wait asks so often. */
  private static final long SCOUT_NANOS = 1_000_000_000;

  private volatile int waiting;
  private int called;
  private int run;
  private int needed = RUN;
  private long heardNanos;

  /** A request begins to wait. */
  public synchronized void enter() {
    waiting++;
  }

  /** A request that waited goes on, or gives up. */
  public synchronized void leave() {
    waiting--;
    called = Math.min(called, waiting);
    if (waiting == 0) {
      needed = RUN;
    }
  }

  /** A request failed for the reason that the others wait for. */
  public synchronized void failed(long nowNanos) {
    heardNanos = nowNanos;
    run = 0;
    called = 0;
  }

  /** A request that was called failed all the same. */
  public synchronized void calledInVain() {
    needed = Math.min(RUN_MAX, 2 * needed);
  }

  /**
   * A request was served. Costs nothing while nobody waits.
   *
   * @param sentNanos when it was sent: an answer to what was sent before the last failure is old
   */
  public void served(long sentNanos, long nowNanos) {
    if (waiting > 0) {
      count(sentNanos, nowNanos);
    }
  }

  private synchronized void count(long sentNanos, long nowNanos) {
    if (sentNanos < heardNanos && run == 0) {
      return;
    }
    run++;
    heardNanos = nowNanos;
    if (run > needed) {
      called = Math.min(waiting, called + (run > 2 * needed ? 2 : 1));
    }
  }

  /** Returns true for one request for each call; asked by those who wait, again and again. */
  public synchronized boolean calls() {
    if (called == 0) {
      return false;
    }
    called--;
    return true;
  }

  /**
   * Returns true for one request each second in which nothing was heard: somebody has to find out
   * that an endpoint is there again. Only for failures that cost an endpoint nothing.
   */
  public synchronized boolean sendsScout(long nowNanos) {
    if (nowNanos - heardNanos < SCOUT_NANOS) {
      return false;
    }
    heardNanos = nowNanos;
    return true;
  }
}
