/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import io.penstock.tables.Column;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Says where two engines' answers to one query differ. */
final class Twins {
  private static final double RELATIVE = 1e-9;

  private Twins() {}

  /** Cells that differ, in words; none when the answers are equal. */
  static List<String> differences(
      List<Column> columns, List<List<Object>> duck, List<List<Object>> spark) {
    List<String> differences = new ArrayList<>();
    if (duck.size() != spark.size()) {
      differences.add("DuckDB has %d rows, Spark %d".formatted(duck.size(), spark.size()));
    }
    for (int row = 0; row < Math.min(duck.size(), spark.size()); row++) {
      for (int i = 0; i < columns.size(); i++) {
        Object one = duck.get(row).get(i);
        Object two = spark.get(row).get(i);
        if (!same(one, two)) {
          String cell = "row %d, %s: DuckDB has %s, Spark %s";
          differences.add(cell.formatted(row, columns.get(i).name(), one, two));
        }
      }
    }
    return differences;
  }

  private static boolean same(Object one, Object two) {
    if (one instanceof Double a && two instanceof Double b) {
      double most = Math.max(Math.abs(a), Math.abs(b));
      return a.equals(b) || Math.abs(a - b) <= RELATIVE * most;
    }
    return one == null ? two == null : one.equals(two);
  }

  /** Rows of a table that has no order, in one that both engines' have. */
  static List<List<Object>> sorted(List<List<Object>> rows) {
    List<List<Object>> sorted = new ArrayList<>(rows);
    sorted.sort(Comparator.comparing(Twins::text));
    return sorted;
  }

  private static String text(List<Object> row) {
    StringBuilder text = new StringBuilder();
    for (Object value : row) {
      text.append(value instanceof Double number ? "%.3e".formatted(number) : value).append('\n');
    }
    return text.toString();
  }
}
