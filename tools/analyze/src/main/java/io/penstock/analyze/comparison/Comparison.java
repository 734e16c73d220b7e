/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.comparison;

import io.penstock.analyze.advice.Prices;
import io.penstock.analyze.engine.QueryEngine;
import io.penstock.tables.Column;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
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
