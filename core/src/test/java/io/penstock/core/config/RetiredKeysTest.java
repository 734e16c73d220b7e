/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.config;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetiredKeysTest {
  private static final List<ConfigKey<?>> KNOWN =
      List.of(ConfigKey.limit("rate.max"), ConfigKey.duration("retry.duration.max"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          penstock.rate.min                           | its value is fixed now. Remove the setting.
          penstock.bucket.lake.hedge.delay.min        | its value is fixed now. Remove the setting.
          penstock.retry.commit.duration.max          | 15 minutes, or penstock.retry.duration.max
          penstock.bucket.a.b.rate.aimd.initial.rate  | set fs.s3.aimd.initialRate.
          """)
  void whoeverSetsAKeyOfEarlierIsToldWhatToDo(String name, String words) {
    assertThatThrownBy(() -> Settings.of(Map.of(name, "1")).refuseUnknown(KNOWN))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(name + " is no longer a setting: ")
        .hasMessageContaining(words);
  }
}
