/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.request;

/**
 * A group of requests that failed for the same reason and wait long for their next attempts.
 * Successful answers to other requests show that the reason is gone. Then the waiting requests are
 * called one by one, long before their waits would end: if all of them were sent at once, the
 * problem might return.
 *
 * <p>After a run of successful answers, each further answer calls one waiting request; after a run
 * of twice the length, each calls two. If a called request fails again, the next run must be twice
 * as long. Reads no clock; times are nanoseconds of one monotonic clock. Safe for many threads.
 */
public final class WaitingGroup {
  /** Waits up to this long are not ended early. */
  public static final long SHORT_NANOS = 1_000_000_000;

  /**
   * With one in four requests throttled, a run of this many successful answers happens by chance
   * only once in 100 times.
   */
  private static final int RUN = 16;

  private static final int RUN_MAX = 1024;

  /** While no request is served, one of the waiting requests is sent this often as a test. */
  private static final long SCOUT_NANOS = 1_000_000_000;

  private volatile int waiting;
  private int called;
  private int run;
  private int needed = RUN;
  private long heardNanos;

  /** Records that a request begins to wait. */
  public synchronized void enter() {
    waiting++;
  }

  /** Records that a waiting request is sent again or is given up. */
  public synchronized void leave() {
    waiting--;
    called = Math.min(called, waiting);
    if (waiting == 0) {
      needed = RUN;
    }
  }

  /** Records that a request failed for the same reason as the waiting ones. */
  public synchronized void failed(long nowNanos) {
    heardNanos = nowNanos;
    run = 0;
    called = 0;
  }

  /** Records that a called request failed again. */
  public synchronized void calledInVain() {
    needed = Math.min(RUN_MAX, 2 * needed);
  }

  /**
   * Records that a request was served. Takes no lock while no request waits.
   *
   * @param sentNanos when the request was sent; if that was before the last failure, the answer
   *     says nothing new
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

  /**
   * Returns true if the asking request is called. The waiting requests ask repeatedly; each call is
   * given to one of them.
   */
  public synchronized boolean calls() {
    if (called == 0) {
      return false;
    }
    called--;
    return true;
  }

  /**
   * Returns true for one waiting request per second in which nothing was recorded: it is sent to
   * find out if the endpoint is reachable again. To be used only for failures that put no load on
   * the endpoint.
   */
  public synchronized boolean sendsScout(long nowNanos) {
    if (nowNanos - heardNanos < SCOUT_NANOS) {
      return false;
    }
    heardNanos = nowNanos;
    return true;
  }
}
