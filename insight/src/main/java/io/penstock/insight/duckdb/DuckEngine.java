/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.insight.duckdb;

import io.penstock.insight.engine.Engine;
import io.penstock.insight.engine.QueryFailedException;
import io.penstock.insight.table.Column;
import io.penstock.insight.table.Kind;
import io.penstock.insight.table.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** The embedded engine: one machine, all its cores, and a directory to spill to. */
public final class DuckEngine implements Engine {
  private final DuckDBConnection connection;

  private DuckEngine(DuckDBConnection connection) {
    this.connection = connection;
  }

  /**
   * Opens an empty engine.
   *
   * @param spill a directory for what does not fit into memory; made when it is first needed
   * @param memoryMiB most memory for queries
   * @param threads most threads for queries
   */
  public static DuckEngine open(Path spill, int memoryMiB, int threads) throws IOException {
    Properties properties = new Properties();
    properties.setProperty("temp_directory", spill.toString());
    properties.setProperty("memory_limit", memoryMiB + "MiB");
    properties.setProperty("threads", Integer.toString(threads));
    properties.setProperty("preserve_insertion_order", "false");
    // Logs are hostile: nothing in them can make the engine load code or reach the network.
    properties.setProperty("autoinstall_known_extensions", "false");
    properties.setProperty("autoload_known_extensions", "false");
    try {
      return new DuckEngine(
          DriverManager.getConnection("jdbc:duckdb:", properties).unwrap(DuckDBConnection.class));
    } catch (SQLException e) {
      throw new IOException("DuckDB does not start: " + e.getMessage(), e);
    }
  }

  DuckDBConnection connection() {
    return connection;
  }

  /** Runs a statement that yields nothing. */
  public void run(String sql) throws IOException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new QueryFailedException(sql, e);
    }
  }

  @Override
  public void load(Table facts) throws IOException {
    String columns =
        facts.columns().stream()
            .map(column -> column.name() + " " + column.kind().sqlType())
            .collect(Collectors.joining(", "));
    run("create or replace table " + facts.id() + " (" + columns + ")");
    try (DuckDBAppender appender =
        connection.createAppender(DuckDBConnection.DEFAULT_SCHEMA, facts.id())) {
      for (List<Object> row : facts.rows()) {
        appender.beginRow();
        for (Object value : row) {
          append(appender, value);
        }
        appender.endRow();
      }
    } catch (SQLException e) {
      throw new QueryFailedException("insert into " + facts.id(), e);
    }
  }

  private static void append(DuckDBAppender appender, Object value) throws SQLException {
    if (value == null) {
      appender.appendNull();
    } else if (value instanceof String text) {
      appender.append(text);
    } else if (value instanceof Long whole) {
      appender.append(whole.longValue());
    } else if (value instanceof Double measure) {
      appender.append(measure.doubleValue());
    } else if (value instanceof Boolean flag) {
      appender.append(flag.booleanValue());
    } else if (value instanceof Instant instant) {
      appender.append(LocalDateTime.ofInstant(instant, ZoneOffset.UTC));
    } else {
      throw new IllegalArgumentException(value.getClass() + " cannot stand in a table");
    }
  }

  @Override
  public void define(String name, String sql) throws IOException {
    run("create or replace table " + name + " as " + sql);
  }

  @Override
  public void view(String name, String sql) throws IOException {
    run("create or replace view " + name + " as " + sql);
  }

  @Override
  public List<List<Object>> rows(String sql, List<Column> columns) throws IOException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      int yielded = result.getMetaData().getColumnCount();
      if (yielded != columns.size()) {
        throw new SQLException("it yields %d columns, not %d".formatted(yielded, columns.size()));
      }
      List<List<Object>> rows = new ArrayList<>();
      while (result.next()) {
        List<Object> row = new ArrayList<>(columns.size());
        for (int i = 0; i < columns.size(); i++) {
          row.add(value(result, i + 1, columns.get(i).kind()));
        }
        rows.add(row);
      }
      return rows;
    } catch (SQLException e) {
      throw new QueryFailedException(sql, e);
    }
  }

  private static Object value(ResultSet result, int column, Kind kind) throws SQLException {
    Object value =
        switch (kind) {
          case TEXT -> result.getString(column);
          case COUNT, BYTES -> result.getLong(column);
          case RATE, MILLIS, SECONDS, PERCENT, NUMBER, DOLLARS -> result.getDouble(column);
          case TIME -> instant(result.getTimestamp(column));
          case FLAG -> result.getBoolean(column);
        };
    return result.wasNull() ? null : value;
  }

  private static Instant instant(Timestamp timestamp) {
    return timestamp == null ? null : timestamp.toLocalDateTime().toInstant(ZoneOffset.UTC);
  }

  @Override
  public void close() throws IOException {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IOException("DuckDB does not close: " + e.getMessage(), e);
    }
  }
}
