/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.weather;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.emulator.weather.RequestCounts;
import io.penstock.emulator.weather.RequestCounts.Line;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CountsTableTest {
  @Test
  void throttledAndFailedRequestsAreCountedApart() {
    Line puts = new Line(9, new TreeMap<>(Map.of(200, 3L, 503, 2L, 500, 3L, 0, 1L)), 4096, 512);
    Line heads = new Line(2, new TreeMap<>(Map.of(404, 2L)), 0, 0);

    String table =
        CountsTable.of(
            new RequestCounts.Snapshot(
                new TreeMap<>(Map.of("PutObject", puts, "HeadObject", heads))));

    assertThat(table)
        .isEqualTo(
            """
              operation   requests  throttled  failed       in    out
              -------------------------------------------------------
              HeadObject         2          0       0      0 B    0 B
              PutObject          9          2       4  4.0 KiB  512 B
              -------------------------------------------------------
              all               11          2       4  4.0 KiB  512 B
            """);
  }

  @Test
  void aJobOfTenMillionRequestsFitsATerminal() {
    Line many =
        new Line(
            10_208_803,
            new TreeMap<>(Map.of(200, 7_783_133L, 503, 2_399_068L, 500, 26_602L)),
            999L << 40,
            999L << 40);

    String table =
        CountsTable.of(
            new RequestCounts.Snapshot(new TreeMap<>(Map.of("CompleteMultipartUpload", many))));

    assertThat(table.lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void nothingAskedIsAllZeros() {
    assertThat(CountsTable.of(new RequestCounts.Snapshot(new TreeMap<>())))
        .isEqualTo(
            """
              operation  requests  throttled  failed   in  out
              ------------------------------------------------
              ------------------------------------------------
              all               0          0       0  0 B  0 B
            """);
  }
}
