/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.flush;

import io.penstock.core.time.Time;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows flushed files to readers after their interval. Each file that waits has a thread of its
 * own, so a store that does not answer delays its own files only; there are few such files. Safe
 * for many threads.
 */
public final class FlushQueue {
  private static final Logger LOG = LoggerFactory.getLogger(FlushQueue.class);
  private static final Duration LOOK = Duration.ofMillis(200);

  private final Time time;
  private final Set<FlushedWriter> waiting = ConcurrentHashMap.newKeySet();
  private final AtomicInteger number = new AtomicInteger();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          work -> {
            Thread thread = new Thread(work, "penstock-flush-" + number.incrementAndGet());
            thread.setContextClassLoader(FlushQueue.class.getClassLoader());
            thread.setDaemon(true);
            return thread;
          });

  public FlushQueue(Time time) {
    this.time = time;
  }

  /**
   * Shows the file after the interval, or before if it has grown by much, unless it already waits
   * for that.
   */
  public void showAfter(Duration interval, FlushedWriter file) {
    add(interval, file, false);
  }

  private void add(Duration interval, FlushedWriter file, boolean hasFailed) {
    if (waiting.add(file)) {
      try {
        threads.execute(() -> show(interval, file, hasFailed));
      } catch (OutOfMemoryError e) { // There is no new thread; the next flush tries again.
        waiting.remove(file);
        LOG.info("What was flushed is not visible yet: {}", e.toString());
      }
    }
  }

  private void show(Duration interval, FlushedWriter file, boolean hasFailed) {
    long dueNanos = time.nowNanos() + interval.toNanos();
    try {
      while (time.nowNanos() < dueNanos && file.isFollowing() && (hasFailed || !file.isMuch())) {
        time.sleep(LOOK);
      }
      waiting.remove(file); // A flush from here on waits for the next round.
      if (!file.show()) {
        time.sleep(LOOK);
        add(interval, file, false);
      }
    } catch (InterruptedException e) {
      waiting.remove(file);
      Thread.currentThread().interrupt();
    } catch (Exception | LinkageError | OutOfMemoryError e) {
      if (file.isFollowing()) {
        LOG.info("What was flushed is not visible yet; this is tried again: {}", e.toString());
        add(interval, file, true);
      }
    }
  }
}
