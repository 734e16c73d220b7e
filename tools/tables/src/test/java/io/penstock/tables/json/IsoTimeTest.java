/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IsoTimeTest {
  @ParameterizedTest
  @CsvSource({
    "1970-01-01T00:00:00Z, 0",
    "1970-01-01T00:00:01.5Z, 1500000",
    "1970-01-01 00:00:01, 1000000",
    "1970-01-01T01:00:00+01:00, 0",
    "1970-01-01T00:00:00-0130, 5400000000",
    "1970-01-01T00:00:00.0000019Z, 1",
    "2024-02-29T23:59:59.999Z, 1709251199999000"
  })
  void timesAreRead(String text, long micros) {
    assertThat(read(text)).isEqualTo(micros);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "1970-01-01",
        "1970-13-01T00:00:00Z",
        "1970-01-01T24:00:00Z",
        "1970-01-01T00:00:00X",
        "1970-01-01T00:00:00Z1",
        "1970-01-01T00:00:00+1",
        "197a-01-01T00:00:00Z"
      })
  void whatIsNoTimeIsTold(String text) {
    assertThat(read(text)).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void daysAreCountedAsTheJdkDoes() {
    SplittableRandom chance = new SplittableRandom(5);
    for (int i = 0; i < 5000; i++) {
      Instant time =
          Instant.ofEpochMilli(chance.nextLong(-62_000_000_000_000L, 250_000_000_000_000L));
      assertThat(read(time.toString()))
          .as("%s", time)
          .isEqualTo(time.getEpochSecond() * 1_000_000 + time.getNano() / 1000);
    }
  }

  private static long read(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    return IsoTime.micros(bytes, 0, bytes.length);
  }
}
