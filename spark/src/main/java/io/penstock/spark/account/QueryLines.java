/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.account;

import io.penstock.core.metrics.account.RequestSums;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;

/**
 * Says in a line for each SQL query what it did to S3. A line is due some seconds after the query
 * has ended, when the executors have told their requests. Safe for several threads.
 */
public final class QueryLines extends SparkListener {
  /** Executors tell once a second, and a message takes a moment. */
  private static final Duration LATER = Duration.ofSeconds(3);

  /** A driver that ends more queries in that time cannot be read in a log. */
  private static final int WAITING_MAX = 1_000;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MEGABYTE = 1e6;

  private final DriverAccounts accounts;
  private final LongSupplier nowNanos;
  private final Map<Long, Long> endedNanos = new LinkedHashMap<>();

  /**
   * @param nowNanos a clock that never goes back
   */
  public QueryLines(DriverAccounts accounts, LongSupplier nowNanos) {
    this.accounts = accounts;
    this.nowNanos = nowNanos;
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof SparkListenerSQLExecutionEnd ended) {
      ended(ended.executionId());
    }
  }

  synchronized void ended(long query) {
    if (endedNanos.size() < WAITING_MAX) {
      endedNanos.put(query, nowNanos.getAsLong());
    }
  }

  /**
   * Returns the lines that are due and were not returned before, in the order in which the queries
   * ended. A query without a request has none.
   *
   * @param isLast true if the executors have told all, so that every line is due
   */
  public List<String> due(boolean isLast) {
    List<Long> queries = new ArrayList<>();
    synchronized (this) {
      long latest = nowNanos.getAsLong() - (isLast ? 0 : LATER.toNanos());
      endedNanos.forEach(
          (query, nanos) -> {
            if (nanos - latest <= 0) {
              queries.add(query);
            }
          });
      endedNanos.keySet().removeAll(queries);
    }
    if (queries.isEmpty()) {
      return List.of();
    }
    Map<Long, RequestSums> sums = accounts.ofQueries(queries);
    return queries.stream()
        .filter(sums::containsKey)
        .map(query -> line(query, sums.get(query)))
        .toList();
  }

  /** Leaves out what is zero, except for the requests and bytes. */
  static String line(long query, RequestSums sums) {
    StringBuilder line = new StringBuilder();
    line.append(
        text(
            "S3 requests of query %d: %,d (reads %,d, writes %,d, lists %,d, deletes %,d), sent"
                + " %,.1f MB, received %,.1f MB, %,.1f s in all, $%.4f",
            query,
            sums.requests(),
            sums.reads(),
            sums.writes(),
            sums.lists(),
            sums.deletes(),
            sums.sentBytes() / MEGABYTE,
            sums.receivedBytes() / MEGABYTE,
            sums.busyNanos() / NANOS_PER_SECOND,
            sums.dollars()));
    append(line, sums.throttled(), "throttled");
    append(line, sums.failed(), "failed");
    append(line, sums.repeats(), "repeated");
    append(line, sums.hedges(), "in parallel to a slow one");
    if (sums.waits() > 0) {
      line.append(
          text(
              "; %,d waited for a permit, %,.1f s in all",
              sums.waits(), sums.waitedNanos() / NANOS_PER_SECOND));
    }
    return line.toString();
  }

  private static void append(StringBuilder line, long count, String what) {
    if (count > 0) {
      line.append(text("; %,d %s", count, what));
    }
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
