/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.util.Objects;

/**
 * A table with what it takes to trust it.
 *
 * @param note how to read it; may be empty
 * @param sql the query that it is the answer to; may be empty
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
