/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.rate;

import io.penstock.core.rate.GroupId;
import io.penstock.core.rate.Lease;
import io.penstock.core.rate.RateConfig;
import io.penstock.core.rate.RateControl;
import io.penstock.core.rate.RateDriver;
import io.penstock.core.rate.RateReport;
import io.penstock.core.rate.RateReport.Seen;
import io.penstock.core.recent.Recent;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The driver's part: answers the reports of all processes, its own among them. Nothing here waits,
 * since Spark calls it on the one thread that serves all plugin messages.
 */
final class RateCoordinator {
  /** The name that Spark gives the driver among the executors. */
  static final String DRIVER = "driver";

  private static final RateReport NOTHING_SEEN = new RateReport(List.of(), List.of());

  /** More buckets than an application writes to at a time. */
  private static final int CONFIGS_MAX = 1_000;

  private final RateDriver driver;
  private final Time time;

  /**
   * @param configs of buckets, by name; each is asked for once while it is in use
   */
  RateCoordinator(Function<String, RateConfig> configs, Time time) {
    Recent<String, RateConfig> known = new Recent<>(CONFIGS_MAX);
    this.driver = new RateDriver(bucket -> known.computeIfAbsent(bucket, configs));
    this.time = time;
  }

  /**
   * The answer to an executor's message.
   *
   * @throws IOException when it is not one of ours
   */
  byte[] answer(byte[] message) throws IOException {
    RateMessages.Request request = RateMessages.readRequest(message);
    return RateMessages.leases(exchange(request.executor(), request.reports(), time.nowNanos()));
  }

  /**
   * The driver's own part, for requests such as those of a job's commit. It takes part in all that
   * is coordinated, also while it sends nothing: a commit begins with many requests at once, which
   * must not find it without a lease.
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
   * Returns the lease with the partitions that the executor does not know yet: it gets a share of
   * those only that it reports, and would otherwise never hear of the ones found before it came.
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

  /** Requests a second that all together are allowed, by group and partition. */
  Map<GroupId, Map<String, Double>> rates() {
    return driver.rates();
  }
}
