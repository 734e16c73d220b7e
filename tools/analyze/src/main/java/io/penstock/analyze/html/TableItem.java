/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.util.List;
import java.util.Objects;

/**
 * A table with a note and its query, so that readers can check it.
 *
 * @param note an explanation of how to read the table; may be empty
 * @param sql the query that returned the table; may be empty
 * @param tones the severity of each row; empty if rows have none
 */
public record TableItem(Table table, String note, String sql, List<Tone> tones) implements Item {
  public TableItem {
    tones = List.copyOf(tones);
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(note, "note");
    Objects.requireNonNull(sql, "sql");
  }

  public TableItem(Table table, String note, String sql) {
    this(table, note, sql, List.of());
  }

  @Override
  public Label label() {
    return table.label();
  }
}
