/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.weather;

import io.penstock.emulator.weather.RequestCounts;
import io.penstock.tables.format.AlignedRows;
import io.penstock.tables.format.Values;

/** Prints what an S3 was asked, as a table. */
final class CountsTable {
  private CountsTable() {}

  static String of(RequestCounts.Snapshot counts) {
    AlignedRows table =
        new AlignedRows("operation", "requests", "throttled", "failed", "in", "out");
    counts
        .lines()
        .forEach(
            (name, line) ->
                table.row(
                    name,
                    Values.count(line.requests()),
                    Values.count(line.withStatus(503)),
                    Values.count(failed(line)),
                    Values.bytes(line.bytesIn()),
                    Values.bytes(line.bytesOut())));
    table.rule();
    table.row(
        "all",
        Values.count(counts.total()),
        Values.count(counts.withStatus(503)),
        Values.count(counts.lines().values().stream().mapToLong(CountsTable::failed).sum()),
        Values.bytes(counts.bytesIn()),
        Values.bytes(counts.bytesOut()));
    return table.toString();
  }

  /** Resets and server errors; a 404 is an answer. */
  private static long failed(RequestCounts.Line line) {
    return line.ofClass(5) - line.withStatus(503) + line.withStatus(RequestCounts.RESET);
  }
}
