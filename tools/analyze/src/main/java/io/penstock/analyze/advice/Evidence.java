/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

import io.penstock.tables.Table;
import java.util.Map;

/** The facts that rules judge by: rows of queries, the job's settings, and what the user said. */
public record Evidence(Map<String, Table> tables, JobSettings settings, AdviceOptions options) {
  public Evidence {
    tables = Map.copyOf(tables);
  }

  /** The rows of a query that the rule has named. */
  public Table table(String query) {
    Table table = tables.get(query);
    if (table == null) {
      throw new IllegalArgumentException("the query " + query + " was not asked for");
    }
    return table;
  }

  /** Cores of the job at a time: as told, or as given; 0 when neither is known. */
  public double cores(double seen) {
    return options.cores().map(Integer::doubleValue).orElse(seen);
  }
}
