/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.report;

import io.penstock.analyze.advice.Prices;
import io.penstock.analyze.advice.whatif.CostTable;
import io.penstock.analyze.advice.whatif.FileWhatIf;
import io.penstock.analyze.advice.whatif.TailWhatIf;
import io.penstock.analyze.analysis.Analyses;
import io.penstock.analyze.analysis.Analysis;
import io.penstock.analyze.engine.Engine;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Computes each table of the report by its id. Some tables are the result of a query, others are
 * computed from such results.
 */
public final class ReportTables {
  @FunctionalInterface
  private interface Source {
    Table compute(Engine engine, Prices prices) throws IOException;
  }

  private static final Map<String, Source> COMPUTED =
      Map.of(
          CostTable.LABEL.id(), CostTable::table,
          TailWhatIf.LABEL.id(), (engine, prices) -> TailWhatIf.table(engine),
          FileWhatIf.LABEL.id(), (engine, prices) -> FileWhatIf.table(engine));
  private static final Map<String, Analysis> BEHIND =
      Map.of(
          CostTable.LABEL.id(), CostTable.BILLED,
          TailWhatIf.LABEL.id(), TailWhatIf.LATENCIES,
          FileWhatIf.LABEL.id(), FileWhatIf.LOAD);

  /** The computed tables that follow a query's table in the report. */
  private static final Map<String, List<Label>> FOLLOWERS =
      Map.of("T14", List.of(CostTable.LABEL), "T17", List.of(TailWhatIf.LABEL, FileWhatIf.LABEL));

  private ReportTables() {}

  /** Returns the labels of the tables, in the order of the report. */
  public static List<Label> labels() {
    List<Label> labels = new ArrayList<>();
    for (Analysis analysis : Analyses.all()) {
      labels.add(analysis.label());
      labels.addAll(FOLLOWERS.getOrDefault(analysis.id(), List.of()));
    }
    return labels;
  }

  /** Computes a table of the report or the table behind a plot. */
  public static Table compute(String id, Engine engine, Prices prices) throws IOException {
    Source source = COMPUTED.get(id);
    return source == null
        ? Analyses.byId(id).orElseThrow().run(engine)
        : source.compute(engine, prices);
  }

  /** Returns the query behind a table. */
  static String sql(String id) {
    return COMPUTED.containsKey(id) ? BEHIND.get(id).sql() : Analyses.byId(id).orElseThrow().sql();
  }
}
