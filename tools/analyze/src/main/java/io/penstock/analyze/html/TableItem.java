/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.util.Objects;

/**
 * A table with a note and its query, so that readers can check it.
 *
 * @param note an explanation of how to read the table; may be empty
 * @param sql the query that returned the table; may be empty
 */
public record TableItem(Table table, String note, String sql) implements Item {
  public TableItem {
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(note, "note");
    Objects.requireNonNull(sql, "sql");
  }

  @Override
  public Label label() {
    return table.label();
  }
}
