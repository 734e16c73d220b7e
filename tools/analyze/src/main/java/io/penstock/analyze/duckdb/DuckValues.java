/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.duckdb;

import io.penstock.tables.Kind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.duckdb.DuckDBAppender;

/** Translates values of tables to DuckDB's and back. */
final class DuckValues {
  private DuckValues() {}

  /** Appends a value of a table to the row that is being added. */
  static void append(DuckDBAppender appender, Object value) throws SQLException {
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
      throw new IllegalArgumentException(value.getClass() + " cannot be put into a table");
    }
  }

  /** Returns a value of the current row; null where DuckDB has none. */
  static Object of(ResultSet result, int column, Kind kind) throws SQLException {
    Object value =
        switch (kind) {
          case TEXT -> result.getString(column);
          case COUNT, BYTES -> result.getLong(column);
          case RATE, MILLIS, SECONDS, PERCENT, NUMBER, DOLLARS -> result.getDouble(column);
          // The type is LocalDateTime, because a Timestamp depends on the calendar and time zone of
          // the machine.
          case TIME -> instant(result.getObject(column, LocalDateTime.class));
          case FLAG -> result.getBoolean(column);
        };
    return result.wasNull() ? null : value;
  }

  private static Instant instant(LocalDateTime time) {
    return time == null ? null : time.toInstant(ZoneOffset.UTC);
  }
}
