/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that read logs. They do not keep the process alive. */
public final class ReaderThreads {
  private ReaderThreads() {}

  /**
   * Runs each work on a thread of its own, and waits for all.
   *
   * @param stop is called when one has failed, so that the others need not read on for nothing
   * @throws IOException the failure of the first one in the list that failed
   */
  public static void run(List<Callable<Void>> works, Runnable stop) throws IOException {
    ExecutorService pool = Executors.newFixedThreadPool(works.size(), ReaderThreads::daemon);
    try {
      for (Future<Void> one : pool.invokeAll(works.stream().map(w -> stopping(w, stop)).toList())) {
        one.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException unchecked) {
        throw unchecked;
      }
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    } catch (InterruptedException e) {
      stop.run();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while logs were read", e);
    } finally {
      pool.shutdownNow();
    }
  }

  private static Callable<Void> stopping(Callable<Void> work, Runnable stop) {
    return () -> {
      try {
        return work.call();
      } catch (IOException | RuntimeException e) {
        stop.run();
        throw e;
      }
    };
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "penstock-log-reader");
    thread.setDaemon(true);
    return thread;
  }
}
