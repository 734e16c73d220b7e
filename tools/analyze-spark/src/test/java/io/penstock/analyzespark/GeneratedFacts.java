/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Rows for the tables that event logs and other logs fill, some of their values null. */
final class GeneratedFacts {
  private static final Instant START = Instant.parse("2026-03-01T23:58:20.123Z");

  private GeneratedFacts() {}

  /** Fills a table of these columns. */
  static Table rows(String id, List<Column> columns) {
    SplittableRandom chance = new SplittableRandom(id.hashCode());
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Object[] row = new Object[columns.size()];
      for (int c = 0; c < row.length; c++) {
        row[c] = isNull(columns.get(c), chance) ? null : value(columns.get(c), chance);
      }
      rows.add(Arrays.asList(row));
    }
    return new Table(id, "", columns, rows);
  }

  private static boolean isNull(Column column, SplittableRandom chance) {
    return chance.nextInt(9) == 0 && !column.name().equals("app_id");
  }

  private static Object value(Column column, SplittableRandom chance) {
    Kind kind = column.kind();
    return switch (kind) {
      case TEXT -> text(column.name(), chance);
      case COUNT, BYTES -> (long) chance.nextInt(50);
      case RATE, MILLIS, SECONDS, PERCENT, NUMBER, DOLLARS -> chance.nextInt(1_000_000) / 7.0;
      case TIME -> START.plusMillis(chance.nextInt(200_000));
      case FLAG -> chance.nextBoolean();
    };
  }

  private static String text(String column, SplittableRandom chance) {
    return switch (column) {
      // So that tables have something to be joined by.
      case "app_id" -> "application_1";
      case "host" -> "10.0.0." + chance.nextInt(3);
      default -> "x" + chance.nextInt(4);
    };
  }
}
