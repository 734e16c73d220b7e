/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.intent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntentTest {
  @ParameterizedTest
  @CsvSource({
    "t/part-0-job_7_1000, true",
    "t/job_7_1000, true",
    "job_7_1000.parquet, true",
    "t/part-0_job_7_1000_00003.c000, true",
    "t/part-0-job_7_10001, false",
    "t/part-0-job_7_10001-job_7_1000, true",
    "t/part-0-xjob_7_1000, false",
    "t/job_7_1000/part-0, false",
    "t/part-0, false"
  })
  void aFileIsOfAJobIfItsNameHasTheWholeId(String key, boolean isOwn) {
    assertThat(Intent.isOwn("job_7_1000", key)).isEqualTo(isOwn);
  }
}
