/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.report;

import io.penstock.analyze.advice.Prices;
import io.penstock.analyze.advice.whatif.CostTable;
import io.penstock.analyze.advice.whatif.FileWhatIf;
import io.penstock.analyze.advice.whatif.TailWhatIf;
import io.penstock.analyze.analysis.Analyses;
import io.penstock.analyze.analysis.Analysis;
import io.penstock.analyze.engine.Engine;
import io.penstock.tables.Table;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Every table that can be asked for, by its id: those that are a query, and those that are worked
 * out.
 */
public final class ReportTables {
  @FunctionalInterface
  private interface Source {
    Table compute(Engine engine, Prices prices) throws IOException;
  }

  private static final Map<String, Source> COMPUTED =
      Map.of(
          "T15", CostTable::table,
          "T18", (engine, prices) -> TailWhatIf.table(engine),
          "T19", (engine, prices) -> FileWhatIf.table(engine));
  private static final Map<String, Analysis> BEHIND =
      Map.of("T15", CostTable.BILLED, "T18", TailWhatIf.LATENCIES, "T19", FileWhatIf.LOAD);

  /** After which table of the queries each stands. */
  private static final Map<String, List<String>> PLACES =
      Map.of("T14", List.of("T15"), "T17", List.of("T18", "T19"));

  private ReportTables() {}

  /** The ids in their order. */
  public static List<String> ids() {
    Map<String, Boolean> ids = new LinkedHashMap<>();
    for (Analysis analysis : Analyses.all()) {
      ids.put(analysis.id(), true);
      PLACES.getOrDefault(analysis.id(), List.of()).forEach(id -> ids.put(id, true));
    }
    return List.copyOf(ids.keySet());
  }

  /** The id as it is written here, for one in any case. */
  public static Optional<String> find(String id) {
    return ids().stream().filter(known -> known.equalsIgnoreCase(id)).findFirst();
  }

  /** Computes a table, or what a plot shows. */
  public static Table compute(String id, Engine engine, Prices prices) throws IOException {
    Source source = COMPUTED.get(id);
    return source == null
        ? Analyses.byId(id).orElseThrow().run(engine)
        : source.compute(engine, prices);
  }

  /** The query behind a table. */
  static String sql(String id) {
    return COMPUTED.containsKey(id) ? BEHIND.get(id).sql() : Analyses.byId(id).orElseThrow().sql();
  }
}
