/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.lease;

import io.penstock.core.commit.lease.Leases.Lease;
import io.penstock.core.commit.lease.Leases.Renewal;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that renews a lease for as long as its job commits. Each lease has a thread of its own,
 * since a renewal may wait for an unreachable store.
 */
public final class LeaseThread implements Lease {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseThread.class);

  private final Renewal renewal;
  private final Duration period;
  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "penstock-commit-lease");
  private volatile boolean hasRenewed;

  private LeaseThread(Renewal renewal, Duration period) {
    this.renewal = renewal;
    this.period = period;
    thread.setDaemon(true);
  }

  /** Starts a thread for the lease. */
  public static Lease start(Renewal renewal) {
    return start(renewal, Leases.DURATION.dividedBy(4));
  }

  static Lease start(Renewal renewal, Duration period) {
    LeaseThread lease = new LeaseThread(renewal, period);
    lease.thread.start();
    return lease;
  }

  private void run() {
    try {
      while (!over.await(period.toMillis(), TimeUnit.MILLISECONDS)) {
        hasRenewed = true;
        renew();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void renew() throws InterruptedException {
    try {
      renewal.run();
    } catch (IOException | RuntimeException e) {
      if (over.getCount() > 0) {
        LOG.warn("a commit's lease could not be renewed: {}", e.getMessage());
      }
    }
  }

  @Override
  public boolean end() {
    over.countDown();
    boolean interrupted = false;
    while (hasRenewed && thread.isAlive()) {
      thread.interrupt();
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return hasRenewed;
  }
}
