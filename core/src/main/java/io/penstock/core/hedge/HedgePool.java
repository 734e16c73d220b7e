/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.hedge;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes the pool of threads for hedges. It has no threads while there are no hedges. Hedges do not
 * use the shared pool, because that may be full of the requests that need a hedge.
 */
public final class HedgePool {
  /**
   * Enough for the hedges of five buckets that do not respond: each has about 20, which is its
   * budget, and 4 that wait for permits.
   */
  private static final int THREADS_MAX = 128;

  private HedgePool() {}

  /** Returns a pool that throws a RejectedExecutionException when all its 128 threads are busy. */
  public static Executor create() {
    AtomicInteger number = new AtomicInteger();
    return new ThreadPoolExecutor(
        0,
        THREADS_MAX,
        10,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        work -> {
          Thread thread = new Thread(work, "penstock-hedge-" + number.incrementAndGet());
          thread.setDaemon(true);
          thread.setContextClassLoader(HedgePool.class.getClassLoader());
          return thread;
        });
  }
}
