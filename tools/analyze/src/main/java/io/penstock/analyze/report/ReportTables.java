/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.report;

import io.penstock.analyze.advice.Prices;
import io.penstock.analyze.advice.whatif.CostTable;
import io.penstock.analyze.advice.whatif.FileWhatIf;
import io.penstock.analyze.advice.whatif.TailWhatIf;
import io.penstock.analyze.analysis.Analyses;
import io.penstock.analyze.analysis.Analysis;
import io.penstock.analyze.engine.QueryEngine;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Computes each table of the report by its name. Some tables are the result of a query, others are
 * computed from such results.
 */
public final class ReportTables {
  @FunctionalInterface
  private interface Source {
    Table compute(QueryEngine engine, Prices prices) throws IOException;
  }

  private static final Map<String, Source> COMPUTED =
      Map.of(
          CostTable.LABEL.name(), CostTable::table,
          TailWhatIf.LABEL.name(), (engine, prices) -> TailWhatIf.table(engine),
          FileWhatIf.LABEL.name(), (engine, prices) -> FileWhatIf.table(engine));
  private static final Map<String, Analysis> BEHIND =
      Map.of(
          CostTable.LABEL.name(), CostTable.BILLED,
          TailWhatIf.LABEL.name(), TailWhatIf.LATENCIES,
          FileWhatIf.LABEL.name(), FileWhatIf.LOAD);

  /** The computed tables that follow a query's table in the report. */
  private static final Map<String, List<Label>> FOLLOWERS =
      Map.of(
          "jobs", List.of(CostTable.LABEL), "errors", List.of(TailWhatIf.LABEL, FileWhatIf.LABEL));

  private ReportTables() {}

  /** Returns the labels of the tables, in the order of the report. */
  public static List<Label> labels() {
    List<Label> labels = new ArrayList<>();
    for (Analysis analysis : Analyses.all()) {
      labels.add(analysis.label());
      labels.addAll(FOLLOWERS.getOrDefault(analysis.name(), List.of()));
    }
    return labels;
  }

  /** Computes a table of the report or the table behind a plot. */
  public static Table compute(String name, QueryEngine engine, Prices prices) throws IOException {
    Source source = COMPUTED.get(name);
    return source == null ? Analyses.run(name, engine) : source.compute(engine, prices);
  }

  /** Returns the query behind a table. */
  static String sql(String name) {
    return COMPUTED.containsKey(name)
        ? BEHIND.get(name).sql()
        : Analyses.named(name).orElseThrow().sql();
  }
}
