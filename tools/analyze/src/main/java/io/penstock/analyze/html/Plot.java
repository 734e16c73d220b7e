/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.util.Optional;

/**
 * A chart with its numbers.
 *
 * @param note how to read it
 * @param chart empty when there is nothing to draw
 * @param table what the chart shows, in few rows
 * @param sql the query behind it; may be empty
 */
public record Plot(Label label, String note, Optional<Chart> chart, Table table, String sql)
    implements Item {

  /** The same plot with the query it came from. */
  public Plot withSql(String query) {
    return new Plot(label, note, chart, table, query);
  }
}
