/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.tree;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DataFileNamesTest {
  @ParameterizedTest
  @CsvSource({
    "part-00000-0f8fad5b-d9cb-469f-a165-70867728950e-c000.snappy.parquet, true",
    "part-00000-0f8fad5b-d9cb-469f-a165-70867728950e.c000.zstd.orc, true",
    "0f8fad5b-d9cb-469f-a165-70867728950e-m0.avro, true",
    "snap-3051729675574597004-1-0f8fad5b-d9cb-469f-a165-70867728950e.avro, true",
    "00000-4-0f8fad5b-d9cb-469f-a165-70867728950e-00001.parquet, true",
    "00000-4-0f8fad5b-d9cb-469f-a165-70867728950e-0-00001.parquet, true",
    "00000-4-0f8fad5b-d9cb-469f-a165-70867728950e-00001-deletes.orc, true",
    "part-00007-0f8fad5b-d9cb-469f-a165-70867728950e_00003.c000.snappy.parquet, true",
    "0f8fad5b-d9cb-469f-a165-70867728950e.parquet, false",
    "user-0f8fad5b-d9cb-469f-a165-70867728950e.parquet, false",
    "lineitem.parquet, false",
    "part-00000.parquet, false",
    "0f8fad5b-d9cb-469f-a165-70867728950e/data.parquet, false",
    "0f8fad5b-d9cb-469f-a165-70867728950e.json, false",
  })
  void onlyNamesWithAUuidOfTheirOwnAreWrittenOnce(String name, boolean isWrittenOnce) {
    assertThat(DataFileNames.isWrittenOnce("t/" + name)).isEqualTo(isWrittenOnce);
    assertThat(DataFileNames.isWrittenOnce(name)).isEqualTo(isWrittenOnce);
  }
}
