/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Rows of plain values: a small summary of a log, or the result of a query. A row that does not
 * have one value for each column throws an IllegalArgumentException.
 *
 * @param label the names of the table; if an engine holds the table, its id is the name in the
 *     engine
 * @param rows not copied, so that they must not change; each row has one value for each column; a
 *     value is a String (TEXT), Long (COUNT, BYTES), Double (the measures), Instant (TIME), Boolean
 *     (FLAG), or null
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

  /** Creates a table that users never request by name. */
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

  /**
   * Returns the index of a column in each row.
   *
   * @throws IllegalArgumentException when the table has no such column
   */
  public int indexOf(String column) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(column)) {
        return i;
      }
    }
    throw new IllegalArgumentException(id() + " has no column " + column);
  }

  /**
   * Returns a value, which may be null.
   *
   * @throws IllegalArgumentException when the table has no such column
   */
  public Object at(int row, String column) {
    return rows.get(row).get(indexOf(column));
  }

  /**
   * Returns a measure or a count as a number; 0 when it is null or not a number.
   *
   * @throws IllegalArgumentException when the table has no such column
   */
  public double number(int row, String column) {
    return at(row, column) instanceof Number number ? number.doubleValue() : 0;
  }

  /**
   * Returns a count; 0 when it is null or not a number.
   *
   * @throws IllegalArgumentException when the table has no such column
   */
  public long count(int row, String column) {
    return at(row, column) instanceof Number number ? number.longValue() : 0;
  }

  /**
   * Returns the sum of a column; a null counts as 0.
   *
   * @throws IllegalArgumentException when the table has no such column
   */
  public double sum(String column) {
    return IntStream.range(0, rows.size()).mapToDouble(row -> number(row, column)).sum();
  }

  /**
   * Returns the first row with this text in a column; empty when there is none.
   *
   * @throws IllegalArgumentException when the table has no such column
   */
  public OptionalInt find(String column, String text) {
    return IntStream.range(0, rows.size())
        .filter(row -> text(row, column).equals(text))
        .findFirst();
  }

  /**
   * Returns a text; empty when it is null.
   *
   * @throws IllegalArgumentException when the table has no such column
   */
  public String text(int row, String column) {
    Object value = at(row, column);
    return value == null ? "" : value.toString();
  }
}
