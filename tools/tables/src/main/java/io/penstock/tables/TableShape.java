/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/**
 * The columns of a table that has a row for each of some things, with the value that each column
 * takes from a thing. So a column and its values are declared in one place.
 */
public record TableShape<T>(
    Label label, List<Column> columns, List<Function<? super T, ?>> values) {
  public TableShape {
    columns = List.copyOf(columns);
    values = List.copyOf(values);
  }

  /** Creates a shape without columns, for a table that users never request by name. */
  public TableShape(String id, String title) {
    this(Label.unnamed(id, title), List.of(), List.of());
  }

  /**
   * Returns the shape with one more column.
   *
   * @param value returns null where a thing has no value; any number will do for a column of
   *     numbers
   */
  public TableShape<T> with(String name, Kind kind, Function<? super T, ?> value) {
    List<Column> moreColumns = new ArrayList<>(columns);
    moreColumns.add(new Column(name, kind));
    List<Function<? super T, ?>> moreValues = new ArrayList<>(values);
    moreValues.add(value);
    return new TableShape<>(label, moreColumns, moreValues);
  }

  /** Returns the table with a row for each thing, in their order. */
  public Table of(Collection<? extends T> things) {
    List<List<Object>> rows = new ArrayList<>();
    for (T thing : things) {
      List<Object> row = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        row.add(converted(columns.get(i).kind(), values.get(i).apply(thing)));
      }
      rows.add(row);
    }
    return new Table(label, columns, rows);
  }

  private static Object converted(Kind kind, Object value) {
    if (!(value instanceof Number number)) {
      return value;
    }
    return kind == Kind.COUNT || kind == Kind.BYTES
        ? (Object) number.longValue()
        : (Object) number.doubleValue();
  }
}
