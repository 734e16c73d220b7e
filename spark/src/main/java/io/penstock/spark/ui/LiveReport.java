/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.ui;

import io.penstock.core.metrics.HedgeMetrics;
import io.penstock.core.metrics.account.RequestSums;
import io.penstock.core.rate.report.GroupId;
import io.penstock.core.time.Time;
import io.penstock.spark.account.DriverAccounts;
import io.penstock.spark.account.QueryLines;
import io.penstock.spark.heartbeat.PeriodicThread;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The report of the running application: in the tab of Spark's UI, as JSON, and as events in the
 * event log; and a line in the driver's log for each SQL query that has ended.
 */
public final class LiveReport implements AutoCloseable {
  /** A page with more rows would take seconds to draw; the JSON has all. */
  static final int PAGE_ROWS = 100;

  private static final Logger LOG = LoggerFactory.getLogger(LiveReport.class);

  private static final Duration SAMPLE = Duration.ofSeconds(2);

  /**
   * An event with five rows of each list has some 7 kB, so the first hour adds 0.7 MB to the event
   * log. A driver that is killed loses what happened since the last event.
   */
  private static final int EVENT_ROWS = 5;

  private static final Duration EVENT_FIRST = Duration.ofSeconds(10);
  private static final Duration EVENT_LATER = Duration.ofMinutes(1);
  private static final Duration LATER = Duration.ofMinutes(10);

  /** The last event has nearly all, in some 250 kB at most. */
  private static final int LAST_ROWS = 150;

  private static final int JSON_ROWS = 10_000;

  /** Executors answer Spark's order to stop within milliseconds; one that is gone never does. */
  private static final Duration LAST_WORDS = Duration.ofMillis(500);

  private static final Duration LOOK = Duration.ofMillis(10);

  private final SparkContext spark;
  private final DriverAccounts accounts;
  private final Time time;
  private final Reporter reporter;
  private final QueryLines queries;
  private final PeriodicThread thread;
  private final long startNanos;
  private final Optional<String> eventLogs;
  private long logged;
  private long loggedNanos;
  private boolean isClosed;

  private LiveReport(SparkContext spark, DriverAccounts accounts, Reporter reporter, Time time) {
    this.spark = spark;
    this.accounts = accounts;
    this.reporter = reporter;
    this.time = time;
    this.queries = new QueryLines(accounts, time::nowNanos);
    spark.addSparkListener(queries);
    this.eventLogs = eventLogs(spark);
    this.startNanos = time.nowNanos();
    this.loggedNanos = startNanos;
    this.thread =
        PeriodicThread.start(
            "penstock-report",
            "The tab of S3 requests does not follow now",
            SAMPLE,
            time,
            this::round);
  }

  /**
   * Begins to count for the report, and adds the tab if the application has a UI.
   *
   * @param hedges of all processes
   * @param rates that all processes together are allowed, by partition
   */
  public static LiveReport start(
      SparkContext spark,
      DriverAccounts accounts,
      Supplier<HedgeMetrics.Count> hedges,
      Supplier<Map<GroupId, Map<String, Double>>> rates,
      Time time) {
    Reporter reporter =
        new Reporter(
            accounts,
            hedges,
            rates,
            () -> spark.conf().get("spark.app.id", ""),
            time,
            SAMPLE.toMillis() / 2);
    try {
      if (spark.ui().isDefined()) {
        S3Tab.attach(
            spark.ui().get(),
            () -> reporter.report(PAGE_ROWS, true),
            () -> reporter.report(JSON_ROWS, true),
            true);
      }
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("The tab of S3 requests cannot be shown in Spark's UI; the job is not affected", e);
    }
    return new LiveReport(spark, accounts, reporter, time);
  }

  private synchronized void round() {
    if (isClosed) {
      return; // Nothing may follow the last event.
    }
    queries.due(false).forEach(LOG::info);
    RequestSums now = reporter.sample();
    long nanos = time.nowNanos();
    Duration least = nanos - startNanos < LATER.toNanos() ? EVENT_FIRST : EVENT_LATER;
    if (nanos - loggedNanos < least.toNanos()) {
      return;
    }
    // An event is written to the event log, which may be on S3: that is no reason for another one.
    long counted = now.requests() - eventLogs.map(accounts::requestsOfLogs).orElse(0L);
    if (counted != logged) {
      log(reporter.report(EVENT_ROWS, false));
      logged = counted;
      loggedNanos = nanos;
    }
  }

  /** Returns where the application's event log is, if that is on S3. */
  private static Optional<String> eventLogs(SparkContext spark) {
    if (!spark.isEventLogEnabled() || spark.eventLogDir().isEmpty()) {
      return Optional.empty();
    }
    URI directory = spark.eventLogDir().get();
    boolean isOnS3 = directory.getScheme() != null && directory.getScheme().matches("s3a?");
    String place = (directory.getAuthority() + directory.getPath()).replaceAll("/+$", "");
    // A bucket's root has other files directly in it, too.
    return isOnS3 && place.contains("/") ? Optional.of(place) : Optional.empty();
  }

  private void log(Report report) {
    if (spark.isEventLogEnabled()) {
      spark.listenerBus().post(new PenstockRequests(report));
    }
  }

  /** Waits until the executors have told all, for half a second at most, and ends the report. */
  @Override
  public void close() {
    thread.close();
    try {
      long endNanos = time.nowNanos() + LAST_WORDS.toNanos();
      while (!accounts.isComplete() && time.nowNanos() < endNanos) {
        time.sleep(LOOK);
      }
      spark.listenerBus().waitUntilEmpty(LAST_WORDS.toMillis()); // for the ends of queries
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException e) {
      LOG.debug("Spark has not told all ends of queries", e);
    }
    reporter.sample();
    reporter.ended();
    queries.due(true).forEach(LOG::info);
    accounts.close();
    synchronized (this) {
      isClosed = true;
      log(reporter.report(LAST_ROWS, true));
    }
  }
}
