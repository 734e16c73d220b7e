/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables;

import java.util.List;

/**
 * Rows of plain values: what a log says in few words, or the answer to a query.
 *
 * @param label its names; the id of a table that engines hold is the name they know it by
 * @param rows each as long as there are columns; a value is a String (TEXT), Long (COUNT, BYTES),
 *     Double (the measures), Instant (TIME), Boolean (FLAG), or null
 */
public record Table(Label label, List<Column> columns, List<List<Object>> rows) {
  public Table {
    columns = List.copyOf(columns);
    rows = java.util.Collections.unmodifiableList(rows);
    for (List<Object> row : rows) {
      if (row.size() != columns.size()) {
        throw new IllegalArgumentException(
            "%s has %d columns, but a row of %d".formatted(label.id(), columns.size(), row.size()));
      }
    }
  }

  /** Makes a table that nobody asks for by name. */
  public Table(String id, String title, List<Column> columns, List<List<Object>> rows) {
    this(Label.unnamed(id, title), columns, rows);
  }

  public String id() {
    return label.id();
  }

  public String title() {
    return label.title();
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** The place of a column in each row. */
  public int indexOf(String column) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(column)) {
        return i;
      }
    }
    throw new IllegalArgumentException(id() + " has no column " + column);
  }

  /** A value, or null. */
  public Object at(int row, String column) {
    return rows.get(row).get(indexOf(column));
  }

  /** A measure or count as a number; 0 where it is null. */
  public double number(int row, String column) {
    return at(row, column) instanceof Number number ? number.doubleValue() : 0;
  }

  /** A count; 0 where it is null. */
  public long count(int row, String column) {
    return at(row, column) instanceof Number number ? number.longValue() : 0;
  }

  /** A text; empty where it is null. */
  public String text(int row, String column) {
    Object value = at(row, column);
    return value == null ? "" : value.toString();
  }
}
