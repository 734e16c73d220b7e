/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

import io.penstock.tables.Table;
import java.util.Map;

/** The input of rules: rows of queries, the job's settings, and the options that the user gave. */
public record Evidence(Map<String, Table> tables, JobSettings settings, AdviceOptions options) {
  public Evidence {
    tables = Map.copyOf(tables);
  }

  /** Returns the rows of a query. The rule must have listed the query in {@link Rule#queries}. */
  public Table table(String query) {
    Table table = tables.get(query);
    if (table == null) {
      throw new IllegalArgumentException("the query " + query + " was not asked for");
    }
    return table;
  }

  /**
   * Returns the number of cores that the job has at a time: the number in the user's options, or
   * else the number that the logs show.
   *
   * @param seen the number that the logs show; 0 if they show none
   */
  public double cores(double seen) {
    return options.cores().map(Integer::doubleValue).orElse(seen);
  }
}
