/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.comparison;

import io.penstock.analyze.analysis.Analyses;
import io.penstock.analyze.analysis.Analysis;
import io.penstock.analyze.engine.QueryEngine;
import io.penstock.analyze.input.LogFile;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.input.ReadProgress;
import io.penstock.tables.Column;
import io.penstock.tables.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An engine that has read nothing and knows the rows of each analysis beforehand. */
final class KnownTables implements QueryEngine {
  private final Map<String, List<List<Object>>> rowsBySql = new HashMap<>();

  /**
   * Adds a row to the table of an analysis.
   *
   * @param values names of columns and their values in turn; the other columns are null
   */
  KnownTables with(String id, Object... values) {
    Analysis analysis = Analyses.named(id).orElseThrow();
    Map<Object, Object> named = new HashMap<>();
    for (int i = 0; i < values.length; i += 2) {
      named.put(values[i], values[i + 1]);
    }
    List<Object> row = new ArrayList<>();
    for (Column column : analysis.columns()) {
      row.add(named.remove(column.name()));
    }
    if (!named.isEmpty()) {
      throw new IllegalArgumentException(id + " has no columns " + named.keySet());
    }
    rowsBySql.computeIfAbsent(analysis.sql(), sql -> new ArrayList<>()).add(row);
    return this;
  }

  @Override
  public List<List<Object>> rows(String sql, List<Column> columns) {
    return rowsBySql.getOrDefault(sql, List.of());
  }

  @Override
  public Map<Integer, ParseStatistics> read(
      String name, List<LogFile> files, ReadProgress progress) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long repeats() {
    return 0;
  }

  @Override
  public void load(Table facts) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void define(String name, String sql) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void view(String name, String sql) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
