/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.accesslog;

import io.penstock.analyze.input.LineParser;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.request.RequestReader;
import io.penstock.analyze.request.RequestRow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * Reads the rows of a Parquet file. Each row is converted to the JSON form of the same log, so that
 * a single parser handles the fields of both forms.
 */
final class ParquetRequests implements RequestReader {
  private final Path file;
  private final ParseStatistics statistics;
  private final Connection connection;
  // Null if the file cannot be read.
  private final ResultSet rows;
  private final StructuredParser parser = new StructuredParser();
  private long position;

  private ParquetRequests(
      Path file, ParseStatistics statistics, Connection connection, ResultSet rows) {
    this.file = file;
    this.statistics = statistics;
    this.connection = connection;
    this.rows = rows;
  }

  /**
   * Opens a file, which is deleted when the reader is closed. A file that is damaged or is not an
   * access log has no rows, and the statistics contain the reason.
   */
  @SuppressWarnings("resource") // closed with the reader
  static RequestReader open(Path file, ParseStatistics statistics) throws IOException {
    Properties properties = new Properties();
    properties.setProperty("threads", "1");
    properties.setProperty("memory_limit", "200MiB");
    properties.setProperty("autoinstall_known_extensions", "false");
    properties.setProperty("autoload_known_extensions", "false");
    Connection connection = null;
    try {
      connection = DriverManager.getConnection("jdbc:duckdb:", properties);
      String source = "read_parquet('" + file.toString().replace("'", "''") + "')";
      List<String> columns = columns(connection, source);
      if (columns.stream().noneMatch(column -> column.endsWith(quoted(StructuredFields.VERSION)))) {
        statistics.damage("is Parquet, but no access log: it has no " + StructuredFields.VERSION);
        return new ParquetRequests(file, statistics, connection, null);
      }
      String query =
          "select cast(to_json(r) as varchar) from (select %s from %s) r"
              .formatted(String.join(", ", columns), source);
      ResultSet rows = connection.createStatement().executeQuery(query);
      return new ParquetRequests(file, statistics, connection, rows);
    } catch (SQLException e) {
      statistics.damage("is damaged: its Parquet cannot be read");
      return new ParquetRequests(file, statistics, connection, null);
    }
  }

  /**
   * Returns the columns unchanged, except timestamps, which are converted to ISO 8601 as in the
   * JSON.
   */
  private static List<String> columns(Connection connection, String source) throws SQLException {
    List<String> columns = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("describe select * from " + source)) {
      while (result.next()) {
        String name = quoted(result.getString(1));
        columns.add(
            result.getString(2).startsWith("TIMESTAMP")
                ? "strftime(cast(%1$s as timestamp), '%%Y-%%m-%%dT%%H:%%M:%%S.%%fZ') as %1$s"
                    .formatted(name)
                : name);
      }
    }
    return columns;
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  @Override
  public boolean next(RequestRow row) throws IOException {
    try {
      while (rows != null && rows.next()) {
        byte[] json = rows.getString(1).getBytes(StandardCharsets.UTF_8);
        if (isRequest(json, row)) {
          return true;
        }
      }
      return false;
    } catch (SQLException e) {
      statistics.damage("is damaged: its Parquet cannot be read any further");
      return false;
    }
  }

  private boolean isRequest(byte[] json, RequestRow row) {
    long at = position++;
    statistics.record();
    row.clear();
    LineParser.Verdict verdict = parser.parse(json, 0, json.length, row);
    return statistics.isRequest(verdict, row, at, json, 0, json.length);
  }

  @Override
  public void close() throws IOException {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException e) {
      throw new IOException("DuckDB does not close: " + e.getMessage(), e);
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
