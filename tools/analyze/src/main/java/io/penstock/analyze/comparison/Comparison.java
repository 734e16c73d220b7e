/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.comparison;

import io.penstock.analyze.advice.Prices;
import io.penstock.analyze.advice.whatif.CostTable;
import io.penstock.analyze.analysis.Analyses;
import io.penstock.analyze.engine.Engine;
import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import io.penstock.tables.format.Values;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Compares two runs and returns table T20. */
public final class Comparison {
  private static final String SENT = "sent, MiB";
  private static final String RECEIVED = "received, MiB";
  private static final String FILES = "files written";
  private static final Label LABEL = new Label("T20", "comparison", "Before and after");

  private static final List<Column> COLUMNS =
      List.of(
          new Column("metric", Kind.TEXT),
          new Column("before", Kind.NUMBER),
          new Column("after", Kind.NUMBER),
          new Column("change", Kind.NUMBER),
          new Column("change_percent", Kind.PERCENT),
          new Column("verdict", Kind.TEXT),
          new Column("about", Kind.TEXT));

  /** The number of requests that a tail needs: with fewer, tails differ by chance. */
  private static final double ENOUGH_FOR_TAIL = 1_000;

  /** The words of the column verdict. */
  public static final String BETTER = "better";

  public static final String WORSE = "worse";

  private static final Map<String, String> TITLES =
      Map.of(
          "time", "How long it took",
          "work", "What was done",
          "requests", "How many requests that took",
          "throttling", "How much was throttled",
          "retries", "What failed and was tried again",
          "cost", "What it cost",
          "latency", "How long requests took",
          "operations", "Requests by operation");

  private static final double MEBIBYTE = 1 << 20;

  /** Two runs of one job differ by so much by chance. */
  private static final double SAME_PERCENT = 5;

  /** Runs whose amounts of data differ by more did not do the same work. */
  private static final double WORK_PERCENT = 10;

  /** Metrics that do not grow with the work: shares, quantiles, and what is counted per file. */
  private static final Pattern RATE = Pattern.compile("%| p\\d+, ms$| a file$");

  private static final int VERDICT = 5;

  private static final List<String> WORK = List.of(SENT, RECEIVED, FILES);

  /** What is better of a metric. */
  private enum Better {
    LESS,
    /** A metric of the work, which is neither. */
    NEITHER
  }

  private final Engine before;
  private final Engine after;
  private final Prices prices;
  private final List<List<Object>> rows = new ArrayList<>();
  private String about = "";

  private Comparison(Engine before, Engine after, Prices prices) {
    this.before = before;
    this.after = after;
    this.prices = prices;
  }

  /**
   * Compares the data of two engines. If only one engine has a metric, its value is null for the
   * other.
   */
  public static Table of(Engine before, Engine after, Prices prices) throws IOException {
    Comparison comparison = new Comparison(before, after, prices);
    comparison.jobs();
    comparison.work();
    comparison.refused();
    comparison.retries();
    comparison.costs();
    comparison.tails();
    comparison.apis();
    Table all = new Table(LABEL, COLUMNS, comparison.rows);
    return difference(all).isEmpty() ? all : new Table(LABEL, COLUMNS, comparison.ratesJudged());
  }

  /** Returns the rows with verdicts of rates only: amounts do not compare if the work differs. */
  private List<List<Object>> ratesJudged() {
    List<List<Object>> judged = new ArrayList<>();
    for (List<Object> row : rows) {
      List<Object> copy = new ArrayList<>(row);
      if (!RATE.matcher((String) row.get(0)).find()) {
        copy.set(VERDICT, null);
      }
      judged.add(copy);
    }
    return judged;
  }

  /** Returns the comparison as a table for each subject, for readers. */
  public static List<Table> bySubject(Table comparison) {
    int about = comparison.indexOf("about");
    Map<String, List<List<Object>>> subjects = new LinkedHashMap<>();
    for (List<Object> row : comparison.rows()) {
      subjects
          .computeIfAbsent((String) row.get(about), name -> new ArrayList<>())
          .add(row.subList(0, about));
    }
    List<Table> tables = new ArrayList<>();
    subjects.forEach(
        (name, all) ->
            tables.add(
                new Table(
                    Label.unnamed(LABEL.name() + "-" + name, TITLES.get(name)),
                    COLUMNS.subList(0, about),
                    all)));
    return tables;
  }

  /**
   * Returns a sentence if the runs did not do the same work, so that their times and costs do not
   * compare; empty if they did.
   */
  public static Optional<String> difference(Table comparison) {
    List<String> differ = new ArrayList<>();
    for (int row = 0; row < comparison.rows().size(); row++) {
      double from = comparison.number(row, "before");
      double to = comparison.number(row, "after");
      boolean isWork = WORK.contains(comparison.text(row, "metric")) && Math.max(from, to) >= 1;
      if (isWork && Math.abs(to - from) > WORK_PERCENT / 100 * Math.max(from, to)) {
        differ.add(
            "%s %s and %s"
                .formatted(
                    comparison.text(row, "metric"),
                    Values.of(Kind.NUMBER, from),
                    Values.of(Kind.NUMBER, to)));
      }
    }
    return differ.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "The runs did not do the same work, so their times and costs do not compare: "
                + String.join("; ", differ)
                + ".");
  }

  private void jobs() throws IOException {
    about = "time";
    // If a log has several jobs, it is not clear which one to compare.
    if (table(before, "jobs").rows().size() == 1 && table(after, "jobs").rows().size() == 1) {
      compare("job, s", "jobs", "elapsed_ms", 1e3, Better.LESS);
    }
  }

  private void work() throws IOException {
    compare("from first to last request, s", "summary", "elapsed_s", 1, Better.LESS);
    about = "work";
    compare(SENT, "summary", "bytes_in", MEBIBYTE, Better.NEITHER);
    compare(RECEIVED, "summary", "bytes_out", MEBIBYTE, Better.NEITHER);
    files();
    about = "requests";
    compare("requests", "summary", "requests", 1, Better.LESS);
    compare("requests, without their retries", "summary", "logical_requests", 1, Better.LESS);
    compare("peak, requests/s", "request-rates", "peak_rps", 1, Better.NEITHER);
    compare("mean, requests/s", "request-rates", "mean_rps", 1, Better.NEITHER);
  }

  private void refused() throws IOException {
    about = "throttling";
    compare("throttled", "summary", "throttled", 1, Better.LESS);
    compare("throttled, % of all", "summary", "throttled_percent", 1, Better.LESS);
    compare("throttled, % of writes", "summary", "throttled_writes_percent", 1, Better.LESS);
    compare("seconds with throttles", "request-rates", "seconds_throttled", 1, Better.LESS);
    compare(
        "got through in those, requests/s",
        "request-rates",
        "effective_capacity_rps",
        1,
        Better.NEITHER);
    about = "retries";
    compare("other 5xx", "summary", "other_5xx", 1, Better.LESS);
  }

  private void retries() throws IOException {
    add("tried more than once", again(before, "chains"), again(after, "chains"), Better.LESS);
    add("waited for retries, s", again(before, "waited_s"), again(after, "waited_s"), Better.LESS);
  }

  private void costs() throws IOException {
    about = "cost";
    add("requests, $", cost(before, false), cost(after, false), Better.LESS);
    add("cores that waited for them, $", cost(before, true), cost(after, true), Better.LESS);
  }

  private Double cost(Engine engine, boolean ofCores) throws IOException {
    Table costs = CostTable.table(engine, prices);
    double sum = 0;
    for (int row = 0; row < costs.rows().size(); row++) {
      boolean isOfCores = costs.at(row, "core_hours") != null;
      boolean isOfTrail = costs.text(row, "what").startsWith("CloudTrail");
      sum += isOfCores == ofCores && !isOfTrail ? costs.number(row, "cost") : 0;
    }
    return costs.isEmpty() ? null : sum;
  }

  private static Double again(Engine engine, String column) throws IOException {
    Table attempts = table(engine, "attempts-per-request");
    double sum = 0;
    for (int row = 0; row < attempts.rows().size(); row++) {
      sum += attempts.count(row, "attempts") > 1 ? attempts.number(row, column) : 0;
    }
    return attempts.isEmpty() ? null : sum;
  }

  private void apis() throws IOException {
    about = "operations";
    Table one = table(before, "operations");
    Table two = table(after, "operations");
    for (String api : names(one, two)) {
      add(
          api,
          at(one, row(one, api), "requests"),
          at(two, row(two, api), "requests"),
          Better.NEITHER);
    }
  }

  private void tails() throws IOException {
    about = "latency";
    Table one = table(before, "tail-latency");
    Table two = table(after, "tail-latency");
    for (String api : names(one, two)) {
      OptionalInt from = row(one, api);
      OptionalInt to = row(two, api);
      if (isFew(one, from) || isFew(two, to)) {
        continue;
      }
      for (String quantile : List.of("p50", "p95", "p99", "p999")) {
        String column = quantile + "_ms";
        add(
            "%s %s, ms".formatted(api, quantile),
            at(one, from, column),
            at(two, to, column),
            Better.LESS);
      }
      add(api + " over 5 s", at(one, from, "over_5s"), at(two, to, "over_5s"), Better.LESS);
      add(api + " over 10 s", at(one, from, "over_10s"), at(two, to, "over_10s"), Better.LESS);
    }
  }

  private static boolean isFew(Table tail, OptionalInt row) {
    Double requests = at(tail, row, "requests");
    return requests == null || requests < ENOUGH_FOR_TAIL;
  }

  private void files() throws IOException {
    Table one = table(before, "sizes");
    Table two = table(after, "sizes");
    OptionalInt from = first(one, "what", "files written");
    OptionalInt to = first(two, "what", "files written");
    add(FILES, at(one, from, "files"), at(two, to, "files"), Better.NEITHER);
    add(
        "median file, MiB",
        mib(at(one, from, "p50_bytes")),
        mib(at(two, to, "p50_bytes")),
        Better.NEITHER);
    add(
        "writing requests a file",
        at(one, from, "requests_per_file"),
        at(two, to, "requests_per_file"),
        Better.LESS);
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

  private static OptionalInt row(Table table, String api) {
    return first(table, "api", api);
  }

  /** Returns the first row with this value; in the table of tails, this row covers all sizes. */
  private static OptionalInt first(Table table, String column, String value) {
    for (int row = 0; row < table.rows().size(); row++) {
      if (table.text(row, column).equals(value)) {
        return OptionalInt.of(row);
      }
    }
    return OptionalInt.empty();
  }

  private static Double at(Table table, OptionalInt row, String column) {
    Object value = row.isEmpty() ? null : table.at(row.getAsInt(), column);
    return value instanceof Number number ? number.doubleValue() : null;
  }

  private void compare(String metric, String name, String column, double unit, Better better)
      throws IOException {
    Table one = table(before, name);
    Table two = table(after, name);
    add(metric, scaled(one, column, unit), scaled(two, column, unit), better);
  }

  private static Double scaled(Table table, String column, double unit) {
    Double value = at(table, table.isEmpty() ? OptionalInt.empty() : OptionalInt.of(0), column);
    return value == null ? null : value / unit;
  }

  private void add(String metric, Double from, Double to, Better better) {
    if (from == null && to == null) {
      return;
    }
    Double change = from == null || to == null ? null : Double.valueOf(to - from);
    Double percent = change == null || from == 0 ? null : Double.valueOf(100 * change / from);
    String verdict = change == null || better == Better.NEITHER ? null : verdict(from, to);
    rows.add(Arrays.asList(metric, from, to, change, percent, verdict, about));
  }

  private static String verdict(double from, double to) {
    if (Math.abs(to - from) <= SAME_PERCENT / 100 * Math.max(from, to)) {
      return "same";
    }
    return to < from ? BETTER : WORSE;
  }

  private static Table table(Engine engine, String id) throws IOException {
    return Analyses.named(id).orElseThrow().run(engine);
  }
}
