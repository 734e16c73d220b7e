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
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/** Compares two runs and returns table T20. */
public final class Comparison {
  private static final Label LABEL = new Label("T20", "comparison", "Before and after");

  private static final List<Column> COLUMNS =
      List.of(
          new Column("metric", Kind.TEXT),
          new Column("before", Kind.NUMBER),
          new Column("after", Kind.NUMBER),
          new Column("change", Kind.NUMBER),
          new Column("change_percent", Kind.PERCENT));

  /** The number of requests that a tail needs: with fewer, tails differ by chance. */
  private static final double ENOUGH_FOR_TAIL = 1_000;

  private static final double MEBIBYTE = 1 << 20;

  private final Engine before;
  private final Engine after;
  private final Prices prices;
  private final List<List<Object>> rows = new ArrayList<>();

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
    comparison.summary();
    comparison.rates();
    comparison.retries();
    comparison.costs();
    comparison.apis();
    comparison.tails();
    comparison.files();
    return new Table(LABEL, COLUMNS, comparison.rows);
  }

  private void jobs() throws IOException {
    // If a log has several jobs, it is not clear which one to compare.
    if (table(before, "T14").rows().size() == 1 && table(after, "T14").rows().size() == 1) {
      compare("job, s", "T14", "elapsed_ms", 1e3);
    }
  }

  private void summary() throws IOException {
    compare("from first to last request, s", "T1", "elapsed_s", 1);
    compare("requests", "T1", "requests", 1);
    compare("requests, without their retries", "T1", "logical_requests", 1);
    compare("throttled", "T1", "throttled", 1);
    compare("throttled, % of all", "T1", "throttled_percent", 1);
    compare("throttled, % of writes", "T1", "throttled_writes_percent", 1);
    compare("other 5xx", "T1", "other_5xx", 1);
    compare("sent, MiB", "T1", "bytes_in", MEBIBYTE);
    compare("received, MiB", "T1", "bytes_out", MEBIBYTE);
  }

  private void rates() throws IOException {
    compare("peak, requests/s", "T5", "peak_rps", 1);
    compare("mean, requests/s", "T5", "mean_rps", 1);
    compare("seconds with throttles", "T5", "seconds_throttled", 1);
    compare("got through in those, requests/s", "T5", "effective_capacity_rps", 1);
  }

  private void retries() throws IOException {
    add("tried more than once", again(before, "chains"), again(after, "chains"));
    add("waited for retries, s", again(before, "waited_s"), again(after, "waited_s"));
  }

  private void costs() throws IOException {
    add("requests, $", cost(before, false), cost(after, false));
    add("cores that waited for them, $", cost(before, true), cost(after, true));
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
    Table attempts = table(engine, "T9");
    double sum = 0;
    for (int row = 0; row < attempts.rows().size(); row++) {
      sum += attempts.count(row, "attempts") > 1 ? attempts.number(row, column) : 0;
    }
    return attempts.isEmpty() ? null : sum;
  }

  private void apis() throws IOException {
    Table one = table(before, "T2");
    Table two = table(after, "T2");
    for (String api : names(one, two)) {
      add(api, at(one, row(one, api), "requests"), at(two, row(two, api), "requests"));
    }
  }

  private void tails() throws IOException {
    Table one = table(before, "T6");
    Table two = table(after, "T6");
    for (String api : names(one, two)) {
      OptionalInt from = row(one, api);
      OptionalInt to = row(two, api);
      if (isFew(one, from) || isFew(two, to)) {
        continue;
      }
      for (String quantile : List.of("p50", "p95", "p99", "p999")) {
        String column = quantile + "_ms";
        add("%s %s, ms".formatted(api, quantile), at(one, from, column), at(two, to, column));
      }
      add(api + " over 5 s", at(one, from, "over_5s"), at(two, to, "over_5s"));
      add(api + " over 10 s", at(one, from, "over_10s"), at(two, to, "over_10s"));
    }
  }

  private static boolean isFew(Table tail, OptionalInt row) {
    Double requests = at(tail, row, "requests");
    return requests == null || requests < ENOUGH_FOR_TAIL;
  }

  private void files() throws IOException {
    Table one = table(before, "T13");
    Table two = table(after, "T13");
    OptionalInt from = first(one, "what", "files written");
    OptionalInt to = first(two, "what", "files written");
    add("files written", at(one, from, "files"), at(two, to, "files"));
    add("median file, MiB", mib(at(one, from, "p50_bytes")), mib(at(two, to, "p50_bytes")));
    add(
        "writing requests a file",
        at(one, from, "requests_per_file"),
        at(two, to, "requests_per_file"));
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

  private void compare(String metric, String id, String column, double unit) throws IOException {
    Table one = table(before, id);
    Table two = table(after, id);
    add(metric, scaled(one, column, unit), scaled(two, column, unit));
  }

  private static Double scaled(Table table, String column, double unit) {
    Double value = at(table, table.isEmpty() ? OptionalInt.empty() : OptionalInt.of(0), column);
    return value == null ? null : value / unit;
  }

  private void add(String metric, Double from, Double to) {
    if (from == null && to == null) {
      return;
    }
    Double change = from == null || to == null ? null : Double.valueOf(to - from);
    Double percent = change == null || from == 0 ? null : Double.valueOf(100 * change / from);
    rows.add(Arrays.asList(metric, from, to, change, percent));
  }

  private static Table table(Engine engine, String id) throws IOException {
    return Analyses.byId(id).orElseThrow().run(engine);
  }
}
