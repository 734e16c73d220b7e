/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What Spark is told instead of what DuckDB is told. */
class DialectTest {
  @Test
  void aNumberWithAPointIsADouble() {
    assertThat(Dialect.spark("select 100.0 * n / 0.25, 10, t.a1, x.0y"))
        .isEqualTo("select 100.0D * n / 0.25D, 10, t.a1, x.0y");
  }

  @Test
  void numbersInTextsAndCommentsStayAsTheyAre() {
    assertThat(Dialect.spark("-- it's 1.5 s\nselect '1.5', 1.5"))
        .isEqualTo("-- it's 1.5 s\nselect '1.5', 1.5D");
  }

  @Test
  void quotesAndBackslashesInATextAreEscapedAsSparkWants() {
    assertThat(Dialect.spark("where key = 'it''s \\ 2.5 $1' or key = ''"))
        .isEqualTo("where key = 'it\\'s \\\\ 2.5 $1' or key = ''");
  }

  @Test
  void aNumberWithAnExponentIsADoubleAlready() {
    assertThat(Dialect.spark("select 1e-9, 1.5e3")).isEqualTo("select 1e-9, 1.5e3");
  }
}
