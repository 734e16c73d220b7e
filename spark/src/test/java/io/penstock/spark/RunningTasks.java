/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;

/** Knows how many tasks have begun and ended: a failed job returns before its last task does. */
final class RunningTasks extends SparkListener {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final SparkContext spark;
  private long started;
  private long ended;

  RunningTasks(SparkContext spark) {
    this.spark = spark;
    spark.addSparkListener(this);
  }

  @Override
  public synchronized void onTaskStart(SparkListenerTaskStart task) {
    started++;
    notifyAll();
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd task) {
    ended++;
    notifyAll();
  }

  synchronized long ended() {
    return ended;
  }

  /** Waits until so many tasks have ended since the start. */
  void awaitEnded(long count) throws InterruptedException, TimeoutException {
    await(() -> ended >= count, count + " tasks to end");
  }

  /** Waits until no task is running. */
  void awaitNone() {
    try {
      spark.listenerBus().waitUntilEmpty();
      await(() -> ended >= started, "the last tasks to end");
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  private synchronized void await(BooleanSupplier done, String what)
      throws InterruptedException, TimeoutException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!done.getAsBoolean()) {
      long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (millis <= 0) {
        throw new TimeoutException("waited for " + what);
      }
      wait(millis);
    }
  }
}
