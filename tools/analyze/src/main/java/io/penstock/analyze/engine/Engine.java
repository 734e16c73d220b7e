/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.engine;

import io.penstock.analyze.input.LogFile;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.input.ReadProgress;
import io.penstock.tables.Column;
import io.penstock.tables.Table;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Runs SQL over what was read. Every engine knows the view {@code s3_requests} with the columns of
 * {@link io.penstock.analyze.request.RequestColumn}, and speaks the part of SQL that DuckDB and
 * Spark have in common.
 */
public interface Engine extends AutoCloseable {
  /**
   * Reads the requests of logs and makes them known as a table.
   *
   * @return what became of their records, by the number of the file
   */
  Map<Integer, ParseStatistics> read(String name, List<LogFile> files, ReadProgress progress)
      throws IOException;

  /**
   * Makes the requests known that an earlier engine of this sort read and kept; false when none.
   */
  default boolean restoreRequests(String name) throws IOException {
    return false;
  }

  /** Keeps a table that was loaded for a later engine, where the sort of engine does so. */
  default void keep(String name) throws IOException {}

  /** Loads a table that was kept; false when it was not. */
  default boolean restore(String name) throws IOException {
    return false;
  }

  /** Makes a small table known by its id; replaces one of the same name. */
  void load(Table facts) throws IOException;

  /** Computes a query once and makes its rows known as a table. */
  void define(String name, String sql) throws IOException;

  /** Makes a query known by a name, to be run wherever the name is used. */
  void view(String name, String sql) throws IOException;

  /**
   * Runs a query.
   *
   * @param columns what the query yields, in its order
   * @return rows as {@link Table} holds them
   * @throws IOException with the query, when it cannot be run
   */
  List<List<Object>> rows(String sql, List<Column> columns) throws IOException;

  @Override
  void close() throws IOException;
}
