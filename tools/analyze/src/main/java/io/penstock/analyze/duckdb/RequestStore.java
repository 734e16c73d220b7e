/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.duckdb;

import io.penstock.analyze.input.LogParts;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.tables.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.stream.Collectors;
import org.duckdb.DuckDBFunctions;

/** The requests in a Parquet file. The logs are converted once, and all queries read the file. */
final class RequestStore {
  private static final String FUNCTION = "penstock_log_parts";

  private RequestStore() {}

  /**
   * Reads logs into a file.
   *
   * @param threads the number of threads that read at the same time
   */
  static void write(DuckEngine engine, LogParts parts, Path file, int threads) throws IOException {
    RequestsFunction function = new RequestsFunction(parts, threads);
    try {
      DuckDBFunctions.tableFunction()
          .withName(FUNCTION)
          .withFunction(function)
          .register(engine.connection());
      String columns =
          RequestColumn.all().stream().map(RequestStore::typed).collect(Collectors.joining(", "));
      engine.run(
          "copy (select %s from %s()) to %s (format parquet, compression zstd, compression_level 1)"
              .formatted(columns, FUNCTION, DuckEngine.literal(file)));
    } catch (IOException e) {
      throw function.failure().orElse(e);
    } catch (SQLException e) {
      throw new IOException("DuckDB takes no logs: " + e.getMessage(), e);
    } finally {
      function.close();
    }
  }

  private static String typed(RequestColumn column) {
    String name = column.sqlName();
    return column.kind() == Kind.TIME ? "make_timestamp(" + name + ") as " + name : name;
  }

  /** Returns a query for the rows of such a file. */
  static String query(Path file) {
    return "select * from read_parquet(" + DuckEngine.pattern(file) + ")";
  }
}
