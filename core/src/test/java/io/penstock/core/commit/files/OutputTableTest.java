/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutputTableTest {
  @ParameterizedTest
  @CsvSource({
    "a/t, a/t/",
    "a/t/, a/t/",
    "a/t/p=1, a/t/",
    "a/t/p=1/q=x/, a/t/",
    "a/x=1/t, a/x=1/t/",
    "p=1, ''",
    "'', ''"
  })
  void jobsOnPartitionsMeetAtTheTable(String output, String table) {
    assertThat(OutputTable.of("lake", output)).isEqualTo(new OutputTable("lake", table));
  }
}
