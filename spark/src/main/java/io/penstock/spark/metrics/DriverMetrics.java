/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.metrics;

import io.penstock.core.metrics.MetricsSnapshot;
import io.penstock.core.metrics.StoreMetrics;
import io.penstock.core.metrics.StoreMetrics.Count;
import io.penstock.spark.heartbeat.DriverSection;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Adds up what all executors of the application have sent, as they have told it, and what the
 * driver has sent. An executor that is gone counts with what it told last. Safe for many threads.
 */
public final class DriverMetrics implements DriverSection {
  private static final byte[] TAKEN = {};

  /** A message of an executor that Spark has removed comes within seconds, if at all. */
  private static final int GONE_MAX = 10_000;

  private final StoreMetrics own;
  private final MetricsSnapshot ownBefore;
  private final Map<String, MetricsSnapshot> told = new LinkedHashMap<>();
  private final Set<String> gone = new LinkedHashSet<>();
  private MetricsSnapshot ofExecutors = MetricsSnapshot.NONE;

  /**
   * @param own of the driver's process; what it has sent before belongs to another application
   */
  public DriverMetrics(StoreMetrics own) {
    this.own = own;
    this.ownBefore = own.snapshot();
  }

  @Override
  public String name() {
    return ExecutorMetrics.METRICS;
  }

  @Override
  public byte[] answer(String executor, byte[] question) throws IOException {
    MetricsSnapshot snapshot = MetricsMessages.read(question);
    synchronized (this) {
      if (!gone.contains(executor)) {
        MetricsSnapshot before = told.put(executor, snapshot);
        ofExecutors = ofExecutors.plus(snapshot);
        ofExecutors = before == null ? ofExecutors : ofExecutors.minus(before);
      }
    }
    return TAKEN;
  }

  /** Forgets an executor, but not what it has sent: in time there may be very many. */
  public synchronized void executorRemoved(String executor) {
    told.remove(executor);
    gone.add(executor);
    if (gone.size() > GONE_MAX) {
      gone.remove(gone.iterator().next());
    }
  }

  /** Returns the counts of the whole application. */
  public synchronized MetricsSnapshot total() {
    return own.snapshot().minus(ownBefore).plus(ofExecutors);
  }

  /** Returns a sentence about the requests of the whole application; empty if it sent none. */
  public Optional<String> summary() {
    MetricsSnapshot total = total();
    Count count = total.total();
    if (count.attempts() == 0) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "S3 requests of this application, including all attempts: %,d. Of these, %,d were"
                + " throttled and %,d failed for other reasons; %,d were repeated, and %,d had a"
                + " second attempt in parallel. Sent %,d MB, received %,d MB.",
            count.attempts(),
            count.throttled(),
            count.failed(),
            total.retries().failed() + total.retries().throttled(),
            total.hedges().started(),
            count.sentBytes() / 1_000_000,
            count.receivedBytes() / 1_000_000));
  }
}
