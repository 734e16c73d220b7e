/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.util.Optional;

/**
 * A chart with its numbers.
 *
 * @param note an explanation of how to read the chart
 * @param chart empty if there is nothing to draw
 * @param table the numbers of the chart, in few rows
 * @param sql the query that gave the numbers; may be empty
 */
public record Plot(Label label, String note, Optional<Chart> chart, Table table, String sql)
    implements Item {

  /** Creates a plot of a chart that there is, and of its numbers. */
  Plot(Label label, String note, Chart chart, Table table) {
    this(label, note, Optional.of(chart), table, "");
  }

  /** Creates a plot without a chart, since there is nothing to draw. */
  static Plot empty(Label label, String note, Table table) {
    return new Plot(label, note, Optional.empty(), table, "");
  }

  /** Returns the same plot with the query that gave its numbers. */
  public Plot withSql(String query) {
    return new Plot(label, note, chart, table, query);
  }
}
