/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.weather;

import io.penstock.cli.print.TextTable;
import io.penstock.emulator.weather.RequestCounts;

/** Prints what an S3 was asked, as a table. */
final class CountsTable {
  private CountsTable() {}

  static String of(RequestCounts.Snapshot counts) {
    TextTable table = new TextTable("operation", "requests", "throttled", "failed", "in", "out");
    counts
        .lines()
        .forEach(
            (name, line) ->
                table.row(
                    name,
                    TextTable.number(line.requests()),
                    TextTable.number(line.withStatus(503)),
                    TextTable.number(failed(line)),
                    TextTable.bytes(line.bytesIn()),
                    TextTable.bytes(line.bytesOut())));
    table.rule();
    table.row(
        "all",
        TextTable.number(counts.total()),
        TextTable.number(counts.withStatus(503)),
        TextTable.number(counts.lines().values().stream().mapToLong(CountsTable::failed).sum()),
        TextTable.bytes(counts.bytesIn()),
        TextTable.bytes(counts.bytesOut()));
    return table.toString();
  }

  /** Resets and server errors; a 404 is an answer. */
  private static long failed(RequestCounts.Line line) {
    return line.ofClass(5) - line.withStatus(503) + line.withStatus(RequestCounts.RESET);
  }
}
