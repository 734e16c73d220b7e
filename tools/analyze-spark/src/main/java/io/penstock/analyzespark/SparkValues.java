/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Converts between the values of tables and the values of Spark's rows. */
final class SparkValues {
  private SparkValues() {}

  static StructType schema(List<Column> columns) {
    StructType schema = new StructType();
    for (Column column : columns) {
      schema = schema.add(column.name(), type(column.kind()), true);
    }
    return schema;
  }

  private static DataType type(Kind kind) {
    return switch (kind) {
      case TEXT -> DataTypes.StringType;
      case COUNT, BYTES -> DataTypes.LongType;
      case RATE, MILLIS, SECONDS, PERCENT, NUMBER, DOLLARS -> DataTypes.DoubleType;
      case TIME -> DataTypes.TimestampType;
      case FLAG -> DataTypes.BooleanType;
    };
  }

  static List<Object> of(Row row, List<Column> columns) {
    List<Object> values = new ArrayList<>(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      values.add(row.isNullAt(i) ? null : of(row.get(i), columns.get(i).kind()));
    }
    return values;
  }

  private static Object of(Object value, Kind kind) {
    return switch (kind) {
      case TEXT -> value.toString();
      case COUNT, BYTES -> ((Number) value).longValue();
      case RATE, MILLIS, SECONDS, PERCENT, NUMBER, DOLLARS -> ((Number) value).doubleValue();
      case TIME -> value instanceof Timestamp old ? old.toInstant() : (Instant) value;
      case FLAG -> value;
    };
  }
}
