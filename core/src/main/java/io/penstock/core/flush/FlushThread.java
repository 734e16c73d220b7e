/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.flush;

import io.penstock.core.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the objects whose writers have asked for it, each after its interval. The thread exists
 * only while something waits to be published. Safe for many threads.
 */
public final class FlushThread {
  private static final Logger LOG = LoggerFactory.getLogger(FlushThread.class);
  private static final Duration LOOK = Duration.ofMillis(200);

  private final Time time;
  private final Map<GrowingObject, Long> dueNanos = new HashMap<>();
  private boolean isRunning;

  public FlushThread(Time time) {
    this.time = time;
  }

  /** Publishes the object after the interval, unless it already waits for that. */
  public synchronized void publishAfter(Duration interval, GrowingObject object) {
    dueNanos.putIfAbsent(object, time.nowNanos() + interval.toNanos());
    if (!isRunning) {
      isRunning = true;
      Thread thread = new Thread(this::run, "penstock-flush");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void run() {
    try {
      while (isNeeded()) {
        due().forEach(FlushThread::publish);
        time.sleep(LOOK);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stopped();
    }
  }

  private synchronized boolean isNeeded() {
    dueNanos.keySet().removeIf(object -> !object.isOpen());
    isRunning = !dueNanos.isEmpty();
    return isRunning;
  }

  private synchronized void stopped() {
    isRunning = false;
  }

  private synchronized List<GrowingObject> due() {
    long now = time.nowNanos();
    List<GrowingObject> due = new ArrayList<>();
    dueNanos.forEach(
        (object, at) -> {
          if (at <= now) {
            due.add(object);
          }
        });
    due.forEach(dueNanos::remove);
    return due;
  }

  private static void publish(GrowingObject object) {
    try {
      object.publish();
    } catch (IOException | RuntimeException e) {
      if (object.isOpen()) {
        LOG.warn(
            "What was flushed is not visible yet. The next flush, or the close of the file, tries"
                + " again, and fails if it cannot succeed: {}",
            e.toString());
      }
    }
  }
}
