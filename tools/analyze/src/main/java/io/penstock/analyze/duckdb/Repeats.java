/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.duckdb;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/**
 * Marks the second and later records of each request in the files of requests, in the order of log
 * and position. A mark in the files costs queries nothing, where a join with the repeats would be a
 * part of each.
 */
final class Repeats {
  private static final String SUSPECTS = "repeat_suspects";

  private Repeats() {}

  /** Marks the repeats in closed files. */
  static void mark(DuckEngine engine, List<RequestFile> files, SeenRecords seen)
      throws IOException {
    long[] suspects = seen.suspects();
    if (suspects.length == 0) {
      return;
    }
    List<Path> paths = files.stream().map(RequestFile::path).toList();
    engine.run("create or replace table " + SUSPECTS + " (record bigint)");
    try {
      append(engine.connection(), suspects);
      List<BitSet> repeats = find(engine, paths, seen.isAnyone());
      for (int i = 0; i < files.size(); i++) {
        if (!repeats.get(i).isEmpty()) {
          files.get(i).markRepeats(repeats.get(i));
        }
      }
    } catch (SQLException e) {
      throw new IOException("the repeated records cannot be found: " + e.getMessage(), e);
    } finally {
      engine.run("drop table " + SUSPECTS);
    }
  }

  private static void append(DuckDBConnection connection, long[] suspects) throws SQLException {
    try (DuckDBAppender appender =
        connection.createAppender(DuckDBConnection.DEFAULT_SCHEMA, SUSPECTS)) {
      for (long suspect : suspects) {
        appender.beginRow();
        appender.append(suspect);
        appender.endRow();
      }
    }
  }

  /** Returns, for each file, the rows that repeat another. */
  private static List<BitSet> find(DuckEngine engine, List<Path> files, boolean isAnyone)
      throws IOException {
    String sql =
        """
        select file_index, file_row_number
        from (
          select
            file_index, file_row_number,
            row_number() over (partition by record order by file, position) as place
          from %s
          where %s
        ) numbered
        where place > 1"""
            .formatted(
                RequestStore.from(files),
                isAnyone
                    ? "record is not null"
                    : "record in (select record from " + SUSPECTS + ")");
    List<BitSet> rowsByFile = new ArrayList<>();
    files.forEach(file -> rowsByFile.add(new BitSet()));
    try (Statement statement = engine.connection().createStatement();
        ResultSet found = statement.executeQuery(sql)) {
      while (found.next()) {
        rowsByFile.get(found.getInt(1)).set(Math.toIntExact(found.getLong(2)));
      }
    } catch (SQLException e) {
      throw engine.failure(sql, e);
    }
    return rowsByFile;
  }
}
