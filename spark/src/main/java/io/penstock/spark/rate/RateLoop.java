/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.rate;

import io.penstock.core.time.Time;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A daemon thread that does something every period, until it is closed. */
final class RateLoop implements AutoCloseable {
  /** May be interrupted when the loop is closed. */
  @FunctionalInterface
  interface Round {
    void run() throws InterruptedException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(RateLoop.class);

  private final Thread thread;
  private volatile boolean isClosed;
  private boolean hasFailed;

  private RateLoop(Duration period, Time time, Round round) {
    this.thread = new Thread(() -> run(period, time, round), "penstock-rate");
    thread.setDaemon(true);
  }

  static RateLoop start(Duration period, Time time, Round round) {
    RateLoop loop = new RateLoop(period, time, round);
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

  /** An exception that ended this thread would end the process: Spark's handler sees to that. */
  private void runOnce(Round round) throws InterruptedException {
    try {
      round.run();
    } catch (RuntimeException | LinkageError e) {
      if (!hasFailed) {
        hasFailed = true;
        LOG.warn("Request rates are not coordinated now", e);
      }
    }
  }

  /** Does not wait: the thread may be inside a call to a driver that is gone. */
  @Override
  public void close() {
    isClosed = true;
    thread.interrupt();
  }
}
