/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.comparison;

import io.penstock.analyze.advice.Prices;
import io.penstock.analyze.advice.whatif.CostTable;
import io.penstock.analyze.analysis.Analyses;
import io.penstock.analyze.engine.QueryEngine;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import io.penstock.tables.format.Values;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Computes the metrics of two runs, and judges those that may be judged. */
final class Metrics {
  /** The number of requests that a tail needs: with fewer, tails differ by chance. */
  private static final double ENOUGH_FOR_TAIL = 1_000;

  /** A quantile is judged if so many requests of both runs are beyond it. */
  private static final double ENOUGH_BEYOND = 100;

  private static final double CENT = 0.01;

  private static final double MEBIBYTE = 1 << 20;

  /** Two runs of one job differ by so much by chance. */
  private static final double SAME_PERCENT = 5;

  /** Amounts that depend on a few slow requests differ by more. */
  private static final double SAME_PERCENT_OF_WAITS = 20;

  /** Runs whose amounts of data differ by more did not do the same work. */
  private static final double WORK_PERCENT = 10;

  /**
   * Numbers of events differ by chance by about the root of their sum; three times that is rare.
   */
  private static final double CHANCE = 3;

  /** Metrics that do not grow with the work: shares, quantiles, and what is counted per file. */
  private static final Pattern RATE = Pattern.compile("%| p\\d+, ms$| a file$");

  private static final int VERDICT = 5;

  /** The ways to judge a metric; less is better of all that are judged. */
  private enum Judged {
    NOT,
    /** A time, a share or an amount. */
    MEASURE,
    /** A number of events that happen by chance. */
    EVENTS,
    /** An amount that a few slow requests make. */
    WAITS
  }

  private record Quantile(String name, double beyond) {}

  private static final List<Quantile> QUANTILES =
      List.of(
          new Quantile("p50", 0.5),
          new Quantile("p95", 0.05),
          new Quantile("p99", 0.01),
          new Quantile("p999", 0.001));

  private final QueryEngine before;
  private final QueryEngine after;
  private final Prices prices;
  private final List<List<Object>> rows = new ArrayList<>();
  private final List<String> differences = new ArrayList<>();
  private String about = "";

  Metrics(QueryEngine before, QueryEngine after, Prices prices) {
    this.before = before;
    this.after = after;
    this.prices = prices;
  }

  List<List<Object>> rows() {
    return rows;
  }

  /** Reads all metrics; returns why times and costs do not compare, if they do not. */
  Optional<String> read() throws IOException {
    requests();
    jobs();
    work();
    refused();
    retries();
    costs();
    tails();
    apis();
    if (differences.isEmpty()) {
      return Optional.empty();
    }
    rows.replaceAll(Metrics::rateJudged);
    return Optional.of(
        "Times and costs of these runs do not compare: " + String.join("; ", differences) + ".");
  }

  /** Returns a row without its verdict if its metric grows with the work. */
  private static List<Object> rateJudged(List<Object> row) {
    List<Object> judged = new ArrayList<>(row);
    if (!RATE.matcher((String) row.get(0)).find()) {
      judged.set(VERDICT, null);
    }
    return judged;
  }

  private void jobs() throws IOException {
    about = "time";
    Table one = Analyses.run("jobs", before);
    Table two = Analyses.run("jobs", after);
    // If a log has several jobs, it is not clear which one to compare.
    if (one.rows().size() != 1 || two.rows().size() != 1) {
      return;
    }
    if (!one.text(0, "name").equals(two.text(0, "name"))) {
      differences.add(
          "the jobs are %s and %s"
              .formatted(Values.visible(one.text(0, "name")), Values.visible(two.text(0, "name"))));
    }
    compare("job, s", "jobs", "elapsed_ms", 1e3, Judged.MEASURE);
    compare("tasks' time, s", "job-facts", "task_time_ms", 1e3, Judged.MEASURE);
    about = "work";
    compareWork("records read", "job-facts", "input_records");
    compareWork("records written", "job-facts", "output_records");
    about = "failures";
    failed(Analyses.run("job-facts", before), "before");
    failed(Analyses.run("job-facts", after), "after");
    compare("failed tasks", "job-facts", "failed_tasks", 1, Judged.EVENTS);
    compare("failed jobs", "job-facts", "failed_jobs", 1, Judged.EVENTS);
    compare("lost executors", "job-facts", "lost_executors", 1, Judged.EVENTS);
  }

  /** Runs of which only one has its requests in its logs differ in their logs first. */
  private void requests() throws IOException {
    boolean isBefore = !Analyses.run("summary", before).isEmpty();
    boolean isAfter = !Analyses.run("summary", after).isEmpty();
    if (isBefore != isAfter) {
      differences.add(
          "the logs of the run %s have no requests".formatted(isAfter ? "before" : "after"));
    }
  }

  /** A job that fails early is no faster one. */
  private void failed(Table facts, String when) {
    if (!facts.isEmpty() && facts.count(0, "failed_jobs") > 0) {
      differences.add("a job of the run " + when + " failed");
    }
  }

  private void compareWork(String metric, String name, String column) throws IOException {
    compare(metric, name, column, 1, Judged.NOT);
    Double from = scaled(Analyses.run(name, before), column, 1);
    Double to = scaled(Analyses.run(name, after), column, 1);
    sameWork(metric, from, to);
  }

  /** Notes a difference of work. An amount that is known of one run only is none. */
  private void sameWork(String metric, Double from, Double to) {
    if (from != null
        && to != null
        && Math.abs(to - from) > WORK_PERCENT / 100 * Math.max(from, to)) {
      differences.add(
          "%s, %s and %s"
              .formatted(metric, Values.of(Kind.NUMBER, from), Values.of(Kind.NUMBER, to)));
    }
  }

  private void work() throws IOException {
    about = "time";
    compare("from first to last request, s", "summary", "elapsed_s", 1, Judged.MEASURE);
    about = "work";
    compare("sent, MiB", "summary", "bytes_in", MEBIBYTE, Judged.NOT);
    compare("received, MiB", "summary", "bytes_out", MEBIBYTE, Judged.NOT);
    files();
    about = "requests";
    compare("requests", "summary", "requests", 1, Judged.EVENTS);
    compare("requests, without their retries", "summary", "logical_requests", 1, Judged.EVENTS);
    compare("peak, requests/s", "request-rates", "peak_rps", 1, Judged.NOT);
    compare("mean, requests/s", "request-rates", "mean_rps", 1, Judged.NOT);
  }

  private void refused() throws IOException {
    about = "throttling";
    compare("throttled", "summary", "throttled", 1, Judged.EVENTS);
    compare("throttled, % of all", "summary", "throttled_percent", 1, Judged.MEASURE);
    compare("throttled, % of writes", "summary", "throttled_writes_percent", 1, Judged.MEASURE);
    compare("seconds with throttles", "request-rates", "seconds_throttled", 1, Judged.EVENTS);
    compare(
        "got through in those, requests/s",
        "request-rates",
        "effective_capacity_rps",
        1,
        Judged.NOT);
    about = "retries";
    compare("other 5xx", "summary", "other_5xx", 1, Judged.EVENTS);
  }

  private void retries() throws IOException {
    add("tried more than once", again(before, "chains"), again(after, "chains"), Judged.EVENTS);
    add("waited for retries, s", again(before, "waited_s"), again(after, "waited_s"), Judged.WAITS);
  }

  private void costs() throws IOException {
    about = "cost";
    Double from = cost(before, false);
    Double to = cost(after, false);
    boolean isNothing = from != null && to != null && Math.max(from, to) < CENT;
    add("requests, $", from, to, isNothing ? Judged.NOT : Judged.MEASURE);
    from = cost(before, true);
    to = cost(after, true);
    isNothing = from != null && to != null && Math.max(from, to) < CENT;
    add("cores that waited for them, $", from, to, isNothing ? Judged.NOT : Judged.WAITS);
  }

  private Double cost(QueryEngine engine, boolean ofCores) throws IOException {
    Table costs = CostTable.table(engine, prices);
    double sum = 0;
    for (int row = 0; row < costs.rows().size(); row++) {
      boolean counts =
          ofCores ? costs.at(row, "core_hours") != null : CostTable.isOfRequests(costs, row);
      sum += counts ? costs.number(row, "cost") : 0;
    }
    return costs.isEmpty() ? null : sum;
  }

  private static Double again(QueryEngine engine, String column) throws IOException {
    Table attempts = Analyses.run("attempts-per-request", engine);
    double sum = 0;
    for (int row = 0; row < attempts.rows().size(); row++) {
      sum += attempts.count(row, "attempts") > 1 ? attempts.number(row, column) : 0;
    }
    return attempts.isEmpty() ? null : sum;
  }

  private void apis() throws IOException {
    about = "operations";
    Table one = Analyses.run("operations", before);
    Table two = Analyses.run("operations", after);
    for (String api : names(one, two)) {
      add(
          api,
          at(one, one.find("api", api), "requests"),
          at(two, two.find("api", api), "requests"),
          Judged.NOT);
    }
  }

  private void tails() throws IOException {
    about = "latency";
    Table one = Analyses.run("tail-latency", before);
    Table two = Analyses.run("tail-latency", after);
    for (String api : names(one, two)) {
      OptionalInt from = one.find("api", api);
      OptionalInt to = two.find("api", api);
      if (isFew(one, from) || isFew(two, to)) {
        continue;
      }
      double least = Math.min(at(one, from, "requests"), at(two, to, "requests"));
      for (Quantile quantile : QUANTILES) {
        String column = quantile.name() + "_ms";
        boolean isEnough = least * quantile.beyond() >= ENOUGH_BEYOND;
        add(
            "%s %s, ms".formatted(api, quantile.name()),
            at(one, from, column),
            at(two, to, column),
            isEnough ? Judged.MEASURE : Judged.NOT);
      }
      add(api + " over 5 s", at(one, from, "over_5s"), at(two, to, "over_5s"), Judged.EVENTS);
      add(api + " over 10 s", at(one, from, "over_10s"), at(two, to, "over_10s"), Judged.EVENTS);
    }
  }

  private static boolean isFew(Table tail, OptionalInt row) {
    Double requests = at(tail, row, "requests");
    return requests == null || requests < ENOUGH_FOR_TAIL;
  }

  private void files() throws IOException {
    Table one = Analyses.run("sizes", before);
    Table two = Analyses.run("sizes", after);
    OptionalInt from = one.find("what", "files written");
    OptionalInt to = two.find("what", "files written");
    Double written = mib(at(one, from, "bytes"));
    Double writtenAfter = mib(at(two, to, "bytes"));
    add("written in files, MiB", written, writtenAfter, Judged.NOT);
    sameWork("written in files, MiB", written, writtenAfter);
    add("files written", at(one, from, "files"), at(two, to, "files"), Judged.NOT);
    add(
        "median file, MiB",
        mib(at(one, from, "p50_bytes")),
        mib(at(two, to, "p50_bytes")),
        Judged.NOT);
    add(
        "writing requests a file",
        at(one, from, "requests_per_file"),
        at(two, to, "requests_per_file"),
        Judged.MEASURE);
  }

  private static Double mib(Double bytes) {
    return bytes == null ? null : bytes / MEBIBYTE;
  }

  private static Set<String> names(Table one, Table two) {
    TreeSet<String> names = new TreeSet<>();
    for (Table table : List.of(one, two)) {
      for (int row = 0; row < table.rows().size(); row++) {
        names.add(table.text(row, "api"));
      }
    }
    return names;
  }

  /** Returns a value of the first row that was found; in the table of tails it covers all sizes. */
  private static Double at(Table table, OptionalInt row, String column) {
    Object value = row.isEmpty() ? null : table.at(row.getAsInt(), column);
    return value instanceof Number number ? number.doubleValue() : null;
  }

  private void compare(String metric, String name, String column, double unit, Judged judged)
      throws IOException {
    Table one = Analyses.run(name, before);
    Table two = Analyses.run(name, after);
    add(metric, scaled(one, column, unit), scaled(two, column, unit), judged);
  }

  private static Double scaled(Table table, String column, double unit) {
    Double value = at(table, table.isEmpty() ? OptionalInt.empty() : OptionalInt.of(0), column);
    return value == null ? null : value / unit;
  }

  private void add(String metric, Double from, Double to, Judged judged) {
    if (from == null && to == null) {
      return;
    }
    Double change = from == null || to == null ? null : Double.valueOf(to - from);
    Double percent = change == null || from == 0 ? null : Double.valueOf(100 * change / from);
    String verdict = change == null || judged == Judged.NOT ? null : verdict(from, to, judged);
    rows.add(Arrays.asList(metric, from, to, change, percent, verdict, about));
  }

  private static String verdict(double from, double to, Judged judged) {
    double same = judged == Judged.WAITS ? SAME_PERCENT_OF_WAITS : SAME_PERCENT;
    double least = same / 100 * Math.max(from, to);
    if (judged == Judged.EVENTS) {
      least = Math.max(least, CHANCE * Math.sqrt(from + to));
    }
    if (Math.abs(to - from) <= least) {
      return "same";
    }
    return to < from ? Comparison.BETTER : Comparison.WORSE;
  }
}
