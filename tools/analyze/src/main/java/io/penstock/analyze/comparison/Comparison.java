/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.comparison;

import io.penstock.analyze.advice.Prices;
import io.penstock.analyze.engine.QueryEngine;
import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import io.penstock.tables.format.Values;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Two runs compared.
 *
 * @param table all metrics of both; {@code about} names the subject
 * @param difference a sentence if the runs did not do the same work, or one of them failed, so that
 *     their times and costs do not compare; else empty
 */
public record Comparison(Table table, Optional<String> difference) {
  private static final Label LABEL = new Label("T20", "comparison", "Before and after");

  private static final List<Column> COLUMNS =
      Column.list(
          "metric text, before number, after number, change number, change_percent percent, verdict"
              + " text, about text");

  /** The metrics of the headline, and what they are called there. */
  private static final Map<String, String> HEADLINES = headlines();

  private static Map<String, String> headlines() {
    Map<String, String> words = new LinkedHashMap<>();
    words.put("failed jobs", "failed jobs");
    words.put("failed tasks", "failed tasks");
    words.put("job, s", "the job's seconds");
    words.put("from first to last request, s", "seconds from first to last request");
    words.put("requests", "requests");
    words.put("throttled, % of all", "throttled per cent");
    words.put("other 5xx", "other 5xx");
    words.put("requests, $", "dollars for requests");
    return words;
  }

  /** The words of the column verdict. */
  public static final String BETTER = "better";

  public static final String WORSE = "worse";

  private static final Map<String, String> TITLES =
      Map.of(
          "time", "How long it took",
          "work", "What was done",
          "failures", "What failed",
          "requests", "How many requests that took",
          "throttling", "How much was throttled",
          "retries", "What was tried again",
          "cost", "What it cost",
          "latency", "How long requests took",
          "operations", "Requests by operation");

  /**
   * Compares the data of two engines. If only one engine has a metric, its value is null for the
   * other.
   */
  public static Comparison of(QueryEngine before, QueryEngine after, Prices prices)
      throws IOException {
    Metrics metrics = new Metrics(before, after, prices);
    Optional<String> difference = metrics.read();
    return new Comparison(new Table(LABEL, COLUMNS, metrics.rows()), difference);
  }

  /**
   * Returns what changed, in a sentence: of each of time, requests, throttling, cost and failures
   * the value before and after, and the verdict. Empty if there is none of these.
   */
  public String headline() {
    List<String> parts = new ArrayList<>();
    HEADLINES.forEach(
        (metric, words) ->
            table.find("metric", metric).ifPresent(row -> part(row, words).ifPresent(parts::add)));
    return parts.isEmpty() ? "" : String.join("; ", parts) + ".";
  }

  private Optional<String> part(int row, String words) {
    Object from = table.at(row, "before");
    Object to = table.at(row, "after");
    if (from == null
        || to == null
        || (((Number) from).doubleValue() == 0 && ((Number) to).doubleValue() == 0)) {
      return Optional.empty();
    }
    String verdict = table.text(row, "verdict");
    if (Values.of(Kind.NUMBER, from).equals("0.00") && Values.of(Kind.NUMBER, to).equals("0.00")) {
      return Optional.empty();
    }
    return Optional.of(
        "%s %s → %s%s"
            .formatted(
                words,
                Values.of(Kind.NUMBER, from),
                Values.of(Kind.NUMBER, to),
                verdict.isEmpty() ? "" : " (" + verdict + ")"));
  }

  /** Returns a table for each subject, for readers. */
  public List<Table> bySubject() {
    int about = table.indexOf("about");
    Map<String, List<List<Object>>> subjects = new LinkedHashMap<>();
    for (List<Object> row : table.rows()) {
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
}
