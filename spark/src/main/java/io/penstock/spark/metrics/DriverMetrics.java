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
  private final Map<String, MetricsSnapshot> told = new LinkedHashMap<>();
  private final Set<String> gone = new LinkedHashSet<>();
  private MetricsSnapshot ofGone = MetricsSnapshot.NONE;

  /**
   * @param own of the driver's process
   */
  public DriverMetrics(StoreMetrics own) {
    this.own = own;
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
        told.put(executor, snapshot);
      }
    }
    return TAKEN;
  }

  /** Keeps only the sum of what executors have sent that are gone: there may be very many. */
  public synchronized void executorRemoved(String executor) {
    MetricsSnapshot last = told.remove(executor);
    ofGone = last == null ? ofGone : ofGone.plus(last);
    gone.add(executor);
    if (gone.size() > GONE_MAX) {
      gone.remove(gone.iterator().next());
    }
  }

  /** Returns the counts of the whole application. */
  public synchronized MetricsSnapshot total() {
    return told.values().stream().reduce(own.snapshot().plus(ofGone), MetricsSnapshot::plus);
  }

  /** Returns a sentence for the user about the requests of the whole application. */
  public String summary() {
    MetricsSnapshot total = total();
    Count count = total.total();
    return String.format(
        Locale.ROOT,
        "S3 requests of this application: %,d, of which %,d were throttled and %,d failed otherwise;"
            + " %,d were repeated, %,d were made twice at once. Sent %,d MB, received %,d MB.",
        count.attempts(),
        count.throttled(),
        count.failures() - count.throttled(),
        total.retries().failed() + total.retries().throttled(),
        total.hedges().started(),
        count.sentBytes() / 1_000_000,
        count.receivedBytes() / 1_000_000);
  }
}
