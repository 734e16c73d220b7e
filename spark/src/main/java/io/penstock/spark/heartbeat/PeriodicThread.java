/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.heartbeat;

import io.penstock.core.time.Time;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A daemon thread that runs one round every period until it is closed. */
public final class PeriodicThread implements AutoCloseable {
  /** The work of one period. It may be interrupted when the thread is closed. */
  @FunctionalInterface
  public interface Round {
    void run() throws InterruptedException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(PeriodicThread.class);

  private final Thread thread;
  private final String trouble;
  private volatile boolean isClosed;
  private boolean hasFailed;

  private PeriodicThread(String name, String trouble, Duration period, Time time, Round round) {
    this.trouble = trouble;
    this.thread = new Thread(() -> run(period, time, round), name);
    thread.setDaemon(true);
  }

  /**
   * Starts a thread. The first round comes after one period, and each further one a period after
   * the end of the one before. A round that throws an exception or a LinkageError is followed by
   * the next one.
   *
   * @param name of the thread
   * @param trouble a sentence for the log when a round fails; logged once
   */
  public static PeriodicThread start(
      String name, String trouble, Duration period, Time time, Round round) {
    PeriodicThread loop = new PeriodicThread(name, trouble, period, time, round);
    loop.thread.start();
    return loop;
  }

  private void run(Duration period, Time time, Round round) {
    try {
      while (!isClosed) {
        time.sleep(period);
        runOnce(round);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Runs one round and logs only the first failure. An exception that ended this thread would end
   * the process, because Spark's handler for uncaught exceptions ends it.
   */
  private void runOnce(Round round) throws InterruptedException {
    try {
      round.run();
    } catch (RuntimeException | LinkageError e) {
      if (!hasFailed) {
        hasFailed = true;
        LOG.warn(trouble, e);
      }
    }
  }

  /**
   * Stops the thread without waiting for its end. The thread may be inside a call to a driver that
   * no longer runs.
   */
  @Override
  public void close() {
    isClosed = true;
    thread.interrupt();
  }
}
