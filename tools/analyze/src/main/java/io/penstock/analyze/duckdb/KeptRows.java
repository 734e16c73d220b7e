/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.duckdb;

import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The rows of a query, kept for the next look at the same logs.
 *
 * @param name names the query and everything that its rows depend on
 */
record KeptRows(DuckEngine engine, String name) {
  /** More rows than these are not kept; no table or plot has as many. */
  private static final int MOST = 200_000;

  private static final Column PLACE = new Column("place", Kind.COUNT);

  List<List<Object>> of(String sql, List<Column> columns) throws IOException {
    if (engine.restore(name)) {
      return engine.queried(
          "select " + names(columns) + " from " + name + " order by place", columns);
    }
    List<List<Object>> rows = engine.queried(sql, columns);
    if (rows.size() <= MOST) {
      keep(rows, columns);
    }
    return rows;
  }

  private void keep(List<List<Object>> rows, List<Column> columns) throws IOException {
    List<Column> numbered = new ArrayList<>(List.of(PLACE));
    for (int i = 0; i < columns.size(); i++) {
      numbered.add(new Column("c" + i, columns.get(i).kind()));
    }
    List<List<Object>> placed = new ArrayList<>(rows.size());
    for (List<Object> row : rows) {
      List<Object> values = new ArrayList<>(row.size() + 1);
      values.add((long) placed.size());
      values.addAll(row);
      placed.add(values);
    }
    engine.put(new Table(name, name, numbered, placed));
    engine.keep(name);
  }

  private static String names(List<Column> columns) {
    return IntStream.range(0, columns.size())
        .mapToObj(i -> "c" + i)
        .collect(Collectors.joining(", "));
  }
}
