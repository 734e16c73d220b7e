/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class AlignedRowsTest {
  @Test
  void theFirstColumnStandsLeftAndNumbersRight() {
    AlignedRows table = new AlignedRows("operation", "requests");
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
    assertThat(new AlignedRows("a", "b").toString()).isEqualTo("  a  b\n  ----\n");
  }

  @Test
  void aRowOfAnotherWidthIsRefused() {
    AlignedRows table = new AlignedRows("a", "b");

    assertThatThrownBy(() -> table.row("only one"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("1 cells for [a, b]");
  }
}
