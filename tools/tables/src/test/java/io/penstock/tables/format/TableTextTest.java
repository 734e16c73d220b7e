/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableTextTest {
  private static String text(Table table, int width) throws IOException {
    StringBuilder out = new StringBuilder();
    TableText.write(table, width, out);
    return out.toString();
  }

  @Test
  void aPipeGetsWholeTexts() throws IOException {
    String reason = "its request cannot be told from what follows, ".repeat(3);
    Table table =
        new Table(
            "X",
            "Reasons",
            List.of(new Column("reason", Kind.TEXT), new Column("records", Kind.COUNT)),
            List.of(List.of(reason, 1L)));
    StringBuilder out = new StringBuilder();
    TableText.writeWhole(table, 80, out);
    assertThat(out.toString()).contains(reason);
    assertThat(text(table, 80)).doesNotContain(reason).contains("\u2026");
  }

  @Test
  void numbersLineUpAtTheRight() throws IOException {
    Table table =
        new Table(
            "T2",
            "Requests by API",
            List.of(
                new Column("api", Kind.TEXT),
                new Column("requests", Kind.COUNT),
                new Column("thr_pct", Kind.PERCENT)),
            List.of(List.of("UploadPart", 10_208_803L, 0.5), List.of("Head", 12L, 23.46)));
    assertThat(text(table, 80))
        .isEqualTo(
            """
            T2  Requests by API
            api           requests    thr %
            ----------  ----------  -------
            UploadPart  10,208,803   0.50 %
            Head                12  23.46 %
            """);
  }

  @Test
  void longTextsAreCutInTheMiddle() throws IOException {
    Table table =
        new Table(
            "T7",
            "Slowest",
            List.of(new Column("key", Kind.TEXT), new Column("total_ms", Kind.MILLIS)),
            List.of(
                List.of("warehouse/events/day=2024-06-04/part-00001.parquet", 30_120.0),
                List.of("x", 1.0)));
    assertThat(text(table, 36))
        .isEqualTo(
            """
            T7  Slowest
            key                            total
            ----------------------------  ------
            warehouse/even…00001.parquet  30.1 s
            x                             1.0 ms
            """);
  }

  @Test
  void noLineIsWiderThanTheTerminalAndNoColumnIsLost() throws IOException {
    List<Column> columns = new ArrayList<>();
    List<Object> row = new ArrayList<>();
    columns.add(new Column("key", Kind.TEXT));
    row.add("a".repeat(500));
    for (int i = 0; i < 20; i++) {
      columns.add(new Column("measure_number_" + i, Kind.COUNT));
      row.add(1_000_000L + i);
    }
    for (List<List<Object>> rows : List.of(List.of(row), List.of(row, row))) {
      String text = text(new Table("T9", "Wide", columns, rows), 80);
      assertThat(text.lines()).allMatch(line -> line.length() <= 80, "fits");
      for (int i = 0; i < 20; i++) {
        assertThat(text).contains("%,d".formatted(1_000_000 + i));
      }
    }
  }

  @Test
  void aSingleRowThatDoesNotFitStandsUpright() throws IOException {
    Table table =
        new Table(
            "T1",
            "Summary",
            List.of(new Column("lines_read", Kind.COUNT), new Column("where", Kind.TEXT)),
            List.of(List.of(5L, "s3://lake/logs/2024/06/04/")));
    assertThat(text(table, 30))
        .isEqualTo(
            """
            T1  Summary
            lines read  5
            where       s3://lake…4/06/04/
            """);
  }

  @Test
  void wideAndHostileTextsKeepTheColumnsInLine() throws IOException {
    Table table =
        new Table(
            "T0",
            "Texts",
            List.of(new Column("text", Kind.TEXT), new Column("n", Kind.COUNT)),
            List.of(List.of("日本", 1L), List.of("e\u0301a", 2L), List.of("\u001b[m", 3L)));
    assertThat(text(table, 80))
        .hasLineCount(6)
        .contains("\n日本      1\n", "\ne\u0301a        2\n", "\n\\u001b[m  3\n");
  }

  @Test
  void aTableWithoutRowsSaysSo() throws IOException {
    assertThat(
            text(
                new Table("T3", "Throttled", List.of(new Column("api", Kind.TEXT)), List.of()), 80))
        .isEqualTo(
            """
            T3  Throttled
            nothing
            """);
  }

  @Test
  void theNameStandsBehindTheTitleAndIsNotCut() throws IOException {
    List<Column> columns = List.of(new Column("api", Kind.TEXT));
    Table table = new Table(new Label("T3", "throttled", "Refused"), columns, List.of());
    assertThat(text(table, 80)).startsWith("T3  Refused  [throttled]\n");
    Table wide = new Table(new Label("T3", "throttled", "Refused ".repeat(12)), columns, List.of());
    assertThat(text(wide, 40).lines().findFirst().orElseThrow())
        .hasSize(40)
        .endsWith("  [throttled]");
  }
}
