/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.util.List;

/** Plots the destinations and the origins of requests: P5 and P6. */
public final class PlacePlots {
  private static final Label PREFIXES =
      new Label("P5", "prefixes-over-time", "Requests by prefix, over time");
  private static final Label EXECUTORS =
      new Label("P6", "executors-over-time", "Requests by executor, over time");
  private static final List<String> MEASURES = List.of("requests", "throttled");

  private PlacePlots() {}

  /** Draws the rows of prefixes-over-time.sql: requests by prefix. */
  public static Plot prefixes(Table dirs) {
    return new HeatRows(dirs, "dir", MEASURES)
        .byTotal()
        .plot(
            PREFIXES,
            "The prefixes with most throttled requests, then with most requests. Stronger colour is"
                + " more.",
            "prefix");
  }

  /** Draws the rows of executors-over-time.sql: requests by executor. */
  public static Plot executors(Table executors) {
    return new HeatRows(executors, "executor", MEASURES)
        .byTotal()
        .plot(
            EXECUTORS,
            "The executors, or addresses, with most throttled requests first. Rows that differ show"
                + " work that is spread unevenly.",
            "executor");
  }
}
