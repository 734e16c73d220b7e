/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.ui;

import io.penstock.core.metrics.HedgeMetrics;
import io.penstock.core.metrics.account.LatencyCounts;
import io.penstock.core.metrics.account.RequestAccount;
import io.penstock.core.metrics.account.RequestSums;
import io.penstock.core.metrics.account.Work;
import io.penstock.core.rate.report.GroupId;
import io.penstock.core.time.Time;
import io.penstock.spark.account.DriverAccounts;
import io.penstock.spark.account.DriverAccounts.Sums;
import io.penstock.spark.ui.Report.Hedges;
import io.penstock.spark.ui.Report.Omitted;
import io.penstock.spark.ui.Report.OperationRow;
import io.penstock.spark.ui.Report.RateRow;
import io.penstock.spark.ui.Report.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** Makes reports of a running application. Safe for many threads. */
final class Reporter {
  private final DriverAccounts accounts;
  private final Supplier<HedgeMetrics.Count> hedges;
  private final Supplier<Map<GroupId, Map<String, Double>>> rates;
  private final Supplier<String> application;
  private final Time time;
  private final long startedMillis;
  private final Series series;
  private boolean isFinal;

  /**
   * @param hedges of all processes
   * @param rates that all processes together are allowed, by partition
   * @param stepMillis least length of a point of the plots
   */
  Reporter(
      DriverAccounts accounts,
      Supplier<HedgeMetrics.Count> hedges,
      Supplier<Map<GroupId, Map<String, Double>>> rates,
      Supplier<String> application,
      Time time,
      long stepMillis) {
    this.accounts = accounts;
    this.hedges = hedges;
    this.rates = rates;
    this.application = application;
    this.time = time;
    this.startedMillis = time.now().toEpochMilli();
    this.series = new Series(startedMillis, stepMillis);
  }

  /** Takes a sample for the plots, and returns the requests so far. */
  synchronized RequestSums sample() {
    RequestSums total = accounts.total();
    series.add(time.now().toEpochMilli(), total);
    return total;
  }

  /** Nothing will be counted any more. */
  synchronized void ended() {
    isFinal = true;
  }

  /**
   * Returns the report of now.
   *
   * @param rowsMax most rows of each list
   * @param hasPoints false leaves out the plots
   */
  synchronized Report report(int rowsMax, boolean hasPoints) {
    Sums sums = accounts.sums();
    RequestAccount account = sums.total();
    RequestSums total = account.total();
    series.add(time.now().toEpochMilli(), total);
    List<Row> queries =
        rows(DriverAccounts.byQuery(account), (query, some) -> row("", query, Work.NONE, some));
    List<Row> stages =
        rows(account.works(), (work, some) -> row("", work.query(), work.stage(), some));
    List<Row> paths = rows(account.paths(), (path, some) -> row(path, Work.NONE, Work.NONE, some));
    List<Row> clients =
        rows(account.clients(), (client, some) -> row(client.title(), Work.NONE, Work.NONE, some));
    List<Row> executors = rows(sums.executors(), (id, some) -> row(id, Work.NONE, Work.NONE, some));
    // Of a thousand executors the list shows a hundred: the throttled ones, if there are any.
    executors.sort(Comparator.comparingLong((Row row) -> row.sums().throttled()).reversed());
    HedgeMetrics.Count counted = hedges.get();
    Hedges second =
        new Hedges(
            counted.started(),
            counted.won(),
            counted.denied(),
            counted.deadlineCuts(),
            counted.stallCuts());
    List<RateRow> allowed = allowed(rowsMax);
    return new Report(
        Report.VERSION,
        application.get(),
        startedMillis,
        time.now().toEpochMilli(),
        isFinal,
        total,
        total.dollars(),
        operations(account),
        allowed,
        Report.first(queries, rowsMax),
        Report.first(stages, rowsMax),
        Report.first(paths, rowsMax),
        clients,
        Report.first(executors, rowsMax),
        new Omitted(
            Math.max(0, queries.size() - rowsMax),
            Math.max(0, stages.size() - rowsMax),
            Math.max(0, paths.size() - rowsMax),
            Math.max(0, executors.size() - rowsMax)),
        second,
        hasPoints ? series.points() : List.of(),
        Findings.of(total, allowed, paths, second));
  }

  private static Row row(String name, long query, long stage, RequestSums sums) {
    return new Row(name, query, stage, sums.requests(), sums.dollars(), sums);
  }

  private static <K> List<Row> rows(
      Map<K, RequestSums> sums, BiFunction<K, RequestSums, Row> shown) {
    List<Row> rows = new ArrayList<>();
    sums.forEach((key, some) -> rows.add(shown.apply(key, some)));
    rows.removeIf(row -> row.sums().equals(RequestSums.NONE));
    rows.sort(
        Comparator.comparingLong(Row::requests)
            .reversed()
            .thenComparing(Row::name)
            .thenComparingLong(Row::query)
            .thenComparingLong(Row::stage));
    return rows;
  }

  private static List<OperationRow> operations(RequestAccount account) {
    List<OperationRow> rows = new ArrayList<>();
    account
        .latencies()
        .forEach(
            (operation, counts) ->
                rows.add(
                    new OperationRow(
                        operation.name(),
                        counts.total(),
                        rounded(counts, 0.5),
                        rounded(counts, 0.99),
                        rounded(counts, 0.999))));
    rows.sort(Comparator.comparingLong(OperationRow::requests).reversed());
    return rows;
  }

  /** Returns a quantile in milliseconds, with a tenth: the counts are not more exact. */
  private static double rounded(LatencyCounts counts, double quantile) {
    return Math.round(counts.quantileMillis(quantile) * 10) / 10.0;
  }

  private List<RateRow> allowed(int rowsMax) {
    List<RateRow> rows = new ArrayList<>();
    rates
        .get()
        .forEach(
            (group, partitions) ->
                partitions.forEach(
                    (prefix, rate) ->
                        rows.add(
                            new RateRow(
                                group.bucket(),
                                group.traffic().name().toLowerCase(Locale.ROOT),
                                prefix,
                                rate < Double.POSITIVE_INFINITY ? rate : -1))));
    rows.sort(
        Comparator.comparing(RateRow::bucket)
            .thenComparing(RateRow::prefix)
            .thenComparing(RateRow::traffic));
    return Report.first(rows, rowsMax);
  }
}
