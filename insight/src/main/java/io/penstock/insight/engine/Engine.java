/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.insight.engine;

import io.penstock.insight.table.Column;
import io.penstock.insight.table.Table;
import java.io.IOException;
import java.util.List;

/**
 * Runs SQL over what was read. Every engine knows the view {@code s3_requests} with the columns of
 * {@link io.penstock.insight.request.RequestColumn}, and speaks the part of SQL that DuckDB and
 * Spark have in common.
 */
public interface Engine extends AutoCloseable {
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
