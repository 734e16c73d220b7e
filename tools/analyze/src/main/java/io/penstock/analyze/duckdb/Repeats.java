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
 * and position. To pass over a mark in the files costs queries next to nothing, where a join with
 * the repeats would be a part of each.
 */
final class Repeats {
  private static final String SUSPECTS = "repeat_suspects";

  private Repeats() {}

  /** Marks the repeats in closed files. */
  static void mark(DuckEngine engine, List<RequestFile> files, SeenRecords seen)
      throws IOException {
    long[] suspects = seen.suspects();
    if (suspects.length == 0 && !seen.isAnyone()) {
      return;
    }
    String who = "record is not null";
    if (!seen.isAnyone()) {
      append(engine, suspects);
      who = "record in (select record from " + SUSPECTS + ")";
    }
    List<BitSet> repeats = find(engine, files.stream().map(RequestFile::path).toList(), who);
    for (int i = 0; i < files.size(); i++) {
      if (!repeats.get(i).isEmpty()) {
        files.get(i).markRepeats(repeats.get(i));
      }
    }
    engine.run("drop table if exists " + SUSPECTS);
  }

  private static void append(DuckEngine engine, long[] suspects) throws IOException {
    engine.run("create or replace table " + SUSPECTS + " (record bigint)");
    try (DuckDBAppender appender =
        engine.connection().createAppender(DuckDBConnection.DEFAULT_SCHEMA, SUSPECTS)) {
      for (long suspect : suspects) {
        appender.beginRow();
        appender.append(suspect);
        appender.endRow();
      }
    } catch (SQLException e) {
      throw engine.failure("insert into " + SUSPECTS, e);
    }
  }

  /**
   * Returns, for each file, the rows that repeat another.
   *
   * @param who the condition for the records to look at
   */
  private static List<BitSet> find(DuckEngine engine, List<Path> files, String who)
      throws IOException {
    // 32 rows in each row of the answer: if logs are given twice, every second record is a repeat.
    String sql =
        """
        select file_index, file_row_number // 32, bit_or(1::bigint << (file_row_number %% 32))
        from (
          select
            file_index, file_row_number,
            row_number() over (partition by record order by file, position) as place
          from %s
          where %s
        ) numbered
        where place > 1
        group by 1, 2\
        """
            .formatted(RequestStore.from(files), who);
    List<BitSet> rowsByFile = new ArrayList<>();
    files.forEach(file -> rowsByFile.add(new BitSet()));
    try (Statement statement = engine.connection().createStatement();
        ResultSet found = statement.executeQuery(sql)) {
      while (found.next()) {
        int first = Math.toIntExact(found.getLong(2) * Integer.SIZE);
        long rows = found.getLong(3);
        for (int i = 0; i < Integer.SIZE; i++) {
          if ((rows >>> i & 1) != 0) {
            rowsByFile.get(found.getInt(1)).set(first + i);
          }
        }
      }
    } catch (SQLException e) {
      throw engine.failure(sql, e);
    }
    return rowsByFile;
  }
}
