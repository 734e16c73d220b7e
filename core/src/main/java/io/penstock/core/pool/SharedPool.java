/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.pool;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that requests run on beside the caller's own: one bounded pool for the process. What
 * runs here must not wait for other work of the pool, or the pool could fill with waiters.
 */
public final class SharedPool {
  public static final ConfigKey<Integer> THREADS =
      ConfigKey.count("threads.max")
          .defaultsTo("64")
          .alsoReads("fs.s3a.threads.max")
          .doc(
              "Requests in flight at most beside the tasks' own; the first use in a process counts.");

  private static ThreadPoolExecutor instance;

  private SharedPool() {}

  /** The pool; the settings of the first caller size it. */
  public static synchronized Executor get(Settings settings) {
    if (instance == null) {
      int threads = settings.get(THREADS);
      AtomicInteger number = new AtomicInteger();
      instance =
          new ThreadPoolExecutor(
              threads,
              threads,
              30,
              TimeUnit.SECONDS,
              new LinkedBlockingQueue<>(),
              work -> {
                Thread thread = new Thread(work, "penstock-" + number.incrementAndGet());
                thread.setDaemon(true);
                return thread;
              });
      instance.allowCoreThreadTimeOut(true);
    }
    return instance;
  }
}
