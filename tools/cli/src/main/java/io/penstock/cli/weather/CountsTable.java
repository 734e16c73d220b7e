/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.weather;

import io.penstock.emulator.weather.RequestCounts;
import io.penstock.tables.format.AlignedRows;
import io.penstock.tables.format.Values;

/** Formats the requests that an S3 server received as a table. */
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

  /**
   * Returns the number of resets and of server errors other than 503. A 404 is a normal response.
   */
  private static long failed(RequestCounts.Line line) {
    return line.ofClass(5) - line.withStatus(503) + line.withStatus(RequestCounts.RESET);
  }
}
