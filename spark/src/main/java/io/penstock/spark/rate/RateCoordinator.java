/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.rate;

import io.penstock.core.rate.RateConfig;
import io.penstock.core.rate.RateControl;
import io.penstock.core.rate.cluster.RateDriver;
import io.penstock.core.rate.report.GroupId;
import io.penstock.core.rate.report.Lease;
import io.penstock.core.rate.report.RateReport;
import io.penstock.core.rate.report.RateReport.Seen;
import io.penstock.core.recent.LruCache;
import io.penstock.core.time.Time;
import io.penstock.spark.heartbeat.DriverSection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The driver's part of the coordination. Answers the reports of all processes, including the
 * driver's own. No method waits, because Spark calls this class on the one thread that serves all
 * plugin messages.
 */
final class RateCoordinator implements DriverSection {
  /** The name of the section in which executors report what they see, and get their shares. */
  static final String RATES = "rates";

  /** The name of the driver in Spark's list of executors. */
  static final String DRIVER = "driver";

  private static final RateReport NOTHING_SEEN = new RateReport(List.of(), List.of());

  /** More buckets than an application writes to at the same time. */
  private static final int CONFIGS_MAX = 1_000;

  private final RateDriver driver;
  private final Time time;

  /**
   * @param configs returns the configuration of a bucket by name; called once for a bucket in use
   */
  RateCoordinator(Function<String, RateConfig> configs, Time time) {
    LruCache<String, RateConfig> known = new LruCache<>(CONFIGS_MAX);
    this.driver = new RateDriver(bucket -> known.computeIfAbsent(bucket, configs));
    this.time = time;
  }

  @Override
  public String name() {
    return RATES;
  }

  @Override
  public byte[] answer(String executor, byte[] question) throws IOException {
    Map<GroupId, RateReport> reports = RateMessages.readReports(question);
    return RateMessages.leases(exchange(executor, reports, time.nowNanos()));
  }

  /**
   * Reports for the driver itself, for requests such as those of a job's commit. The driver takes
   * part in all coordinated groups, even while it sends nothing. A commit begins with many requests
   * at once, and the driver must have a lease by then.
   */
  void takePart(RateControl control) {
    long now = time.nowNanos();
    Map<GroupId, RateReport> reports = new LinkedHashMap<>(control.report(now));
    driver.rates().keySet().forEach(id -> reports.putIfAbsent(id, NOTHING_SEEN));
    control.follow(exchange(DRIVER, reports, now), now);
  }

  private Map<GroupId, Lease> exchange(
      String executor, Map<GroupId, RateReport> reports, long nowNanos) {
    Map<GroupId, Map<String, Double>> known = driver.rates();
    Map<GroupId, RateReport> complete = new LinkedHashMap<>();
    reports.forEach(
        (id, report) ->
            complete.put(id, complete(report, known.getOrDefault(id, Map.of()).keySet())));
    return driver.exchange(executor, complete, nowNanos);
  }

  /**
   * Returns the report with the partitions that the executor does not know yet. The executor gets a
   * share only of the partitions in its report. Otherwise it would never learn about partitions
   * that were found before it started.
   */
  private static RateReport complete(RateReport report, Set<String> prefixes) {
    Set<String> missing = new TreeSet<>(prefixes);
    report.partitions().forEach(seen -> missing.remove(seen.prefix()));
    if (missing.isEmpty()) {
      return report;
    }
    List<Seen> partitions = new ArrayList<>(report.partitions());
    missing.forEach(prefix -> partitions.add(new Seen(prefix, 0, 0, 0)));
    return new RateReport(partitions, report.prefixes());
  }

  void forget(String executor) {
    driver.forget(executor);
  }

  /**
   * Returns the requests per second that all processes together are allowed, by group and
   * partition.
   */
  Map<GroupId, Map<String, Double>> rates() {
    return driver.rates();
  }
}
