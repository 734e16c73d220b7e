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
 * Runs SQL over the requests and tables that it has read. Every engine has the view {@code
 * s3_requests} with the columns of {@link io.penstock.analyze.request.RequestColumn}. Queries use
 * only the SQL that DuckDB and Spark have in common. For one thread at a time. Names and queries
 * come from this program, never from a log, because they are not escaped.
 */
public interface QueryEngine extends AutoCloseable {
  /**
   * Reads the requests of logs and makes them available as a table. A log may contain a record
   * twice, and several logs the same record; the table has the first one, in the order of the
   * files' numbers and of the position.
   *
   * @return the parse statistics of each file, by the file's number
   */
  Map<Integer, ParseStatistics> read(String name, List<LogFile> files, ReadProgress progress)
      throws IOException;

  /**
   * Makes the requests available that an earlier engine of the same kind read and kept. Returns
   * false if there are none.
   */
  default boolean restoreRequests(String name) throws IOException {
    return false;
  }

  /** Returns how many records the table of requests leaves out, since they repeat another. */
  long repeats();

  /**
   * Returns a condition on s3_requests that is true for every request of a chain in which an
   * attempt is telling, as s3_attempts defines it. It may be true for others.
   */
  default String mayBeRetried() {
    return "1 = 1";
  }

  /** Keeps a loaded table for a later engine, if this kind of engine can keep tables. */
  default void keep(String name) throws IOException {}

  /** Loads a table that an earlier engine kept. Returns false if there is no such table. */
  default boolean restore(String name) throws IOException {
    return false;
  }

  /**
   * Makes a small table available under its id. Replaces a table of the same name.
   *
   * @throws IOException as {@link #rows}
   */
  void load(Table facts) throws IOException;

  /**
   * Computes a query once and makes its rows available as a table.
   *
   * @throws IOException as {@link #rows}
   */
  void define(String name, String sql) throws IOException;

  /**
   * Gives a query a name. The query runs each time another query uses the name.
   *
   * @throws IOException as {@link #rows}
   */
  void view(String name, String sql) throws IOException;

  /**
   * Runs a query.
   *
   * @param columns the columns that the query returns, in the query's order
   * @return the rows, with values of the types that {@link Table} holds
   * @throws QueryFailedException if the query cannot be run; the message contains it
   * @throws IOException of another type if there is too little memory or disk, or if kept data is
   *     lost
   */
  List<List<Object>> rows(String sql, List<Column> columns) throws IOException;

  @Override
  void close() throws IOException;
}
