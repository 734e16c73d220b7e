/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.print;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TextTableTest {
  @Test
  void theFirstColumnStandsLeftAndNumbersRight() {
    TextTable table = new TextTable("operation", "requests");
    table.row("PutObject", "1");
    table.row("CompleteMultipartUpload", "1,000");
    table.rule();
    table.row("all", "1,001");

    assertThat(table.toString())
        .isEqualTo(
            """
              operation                requests
              ---------------------------------
              PutObject                       1
              CompleteMultipartUpload     1,000
              ---------------------------------
              all                         1,001
            """);
  }

  @Test
  void aTableWithoutRowsIsItsHeader() {
    assertThat(new TextTable("a", "b").toString()).isEqualTo("  a  b\n  ----\n");
  }

  @Test
  void aRowOfAnotherWidthIsRefused() {
    TextTable table = new TextTable("a", "b");

    assertThatThrownBy(() -> table.row("only one"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("1 cells for [a, b]");
  }

  @Test
  void numbersAreGroupedByThousands() {
    assertThat(TextTable.number(0)).isEqualTo("0");
    assertThat(TextTable.number(1_234_567)).isEqualTo("1,234,567");
  }

  @Test
  void bytesAreShownInTheUnitThatFits() {
    assertThat(TextTable.bytes(0)).isEqualTo("0 B");
    assertThat(TextTable.bytes(1023)).isEqualTo("1023 B");
    assertThat(TextTable.bytes(1536)).isEqualTo("1.5 KiB");
    assertThat(TextTable.bytes(5L << 40)).isEqualTo("5.0 TiB");
    assertThat(TextTable.bytes(5L << 50)).isEqualTo("5120.0 TiB");
  }
}
