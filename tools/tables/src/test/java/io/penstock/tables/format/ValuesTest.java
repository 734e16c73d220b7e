/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ValuesTest {
  @Test
  void numbersHaveTheirUnits() {
    assertThat(Values.of(Kind.COUNT, 10_208_803L)).isEqualTo("10,208,803");
    assertThat(Values.of(Kind.PERCENT, 23.464)).isEqualTo("23.46 %");
    assertThat(Values.of(Kind.RATE, 4580.4)).isEqualTo("4,580/s");
    assertThat(Values.of(Kind.RATE, 2.345)).isEqualTo("2.3/s");
    assertThat(Values.of(Kind.NUMBER, 1234.567)).isEqualTo("1,235");
    assertThat(Values.of(Kind.NUMBER, 3.916)).isEqualTo("3.92");
    assertThat(Values.of(Kind.DOLLARS, 8.687)).isEqualTo("$8.69");
    assertThat(Values.of(Kind.DOLLARS, 0.0004)).isEqualTo("$0.0004");
    assertThat(Values.of(Kind.DOLLARS, -1234.5)).isEqualTo("-$1,234.50");
    assertThat(Values.of(Kind.FLAG, true)).isEqualTo("yes");
  }

  @Test
  void bytesGoUpInSteps() {
    assertThat(Values.of(Kind.BYTES, 0L)).isEqualTo("0 B");
    assertThat(Values.of(Kind.BYTES, 1023L)).isEqualTo("1023 B");
    assertThat(Values.of(Kind.BYTES, 1024L)).isEqualTo("1.0 KiB");
    assertThat(Values.of(Kind.BYTES, 1_048_575L)).isEqualTo("1.0 MiB");
    assertThat(Values.of(Kind.BYTES, 1_288_490_189L)).isEqualTo("1.2 GiB");
    assertThat(Values.of(Kind.BYTES, Long.MAX_VALUE)).isEqualTo("8.0 EiB");
    assertThat(Values.of(Kind.BYTES, Long.MIN_VALUE)).isEqualTo("-8.0 EiB");
    assertThat(Values.bytes(5L << 50)).isEqualTo("5.0 PiB");
  }

  @Test
  void durationsGoUpInSteps() {
    assertThat(Values.of(Kind.MILLIS, 0.0)).isEqualTo("0 ms");
    assertThat(Values.of(Kind.MILLIS, 4.25)).isEqualTo("4.3 ms");
    assertThat(Values.of(Kind.MILLIS, 340.0)).isEqualTo("340 ms");
    assertThat(Values.of(Kind.MILLIS, 999.6)).isEqualTo("1.0 s");
    assertThat(Values.of(Kind.MILLIS, 12_345.0)).isEqualTo("12.3 s");
    assertThat(Values.of(Kind.MILLIS, 59_960.0)).isEqualTo("1 min 00 s");
    assertThat(Values.of(Kind.SECONDS, 1287.0)).isEqualTo("21 min 27 s");
    assertThat(Values.of(Kind.SECONDS, 3599.9)).isEqualTo("1 h 00 min");
    assertThat(Values.of(Kind.SECONDS, -90_000.0)).isEqualTo("-25 h 00 min");
  }

  @Test
  void timesAreUtcWithTheirDate() {
    assertThat(Values.of(Kind.TIME, Instant.parse("2024-06-04T14:40:12Z")))
        .isEqualTo("2024-06-04 14:40:12");
    assertThat(Values.of(Kind.TIME, Instant.parse("2024-06-04T14:40:12.0456Z")))
        .isEqualTo("2024-06-04 14:40:12.045");
  }

  @Test
  void whatIsNotKnownIsADash() {
    assertThat(Values.of(Kind.COUNT, null)).isEqualTo("-");
    assertThat(Values.of(Kind.PERCENT, Double.NaN)).isEqualTo("-");
  }

  @Test
  void nothingInATextDrivesTheScreen() {
    assertThat(Values.of(Kind.TEXT, "a\u001b[2Jb\u009b\n\u0000\ud83d"))
        .isEqualTo("a\\u001b[2Jb\\u009b\\u000a\\u0000\\ud83d");
    assertThat(Values.visible("x\u202egpj.exe\u2066\u200b\u2028"))
        .isEqualTo("x\\u202egpj.exe\\u2066\\u200b\\u2028");
    assertThat(Values.visible("день=01/ملف 🎈")).isEqualTo("день=01/ملف 🎈");
  }

  @Test
  void headingsDoNotRepeatTheUnit() {
    assertThat(Values.heading(new Column("p95_ms", Kind.MILLIS))).isEqualTo("p95");
    assertThat(Values.heading(new Column("thr_pct", Kind.PERCENT))).isEqualTo("thr %");
    assertThat(Values.heading(new Column("bytes_in", Kind.BYTES))).isEqualTo("bytes in");
    assertThat(Values.heading(new Column("peak_per_s", Kind.RATE))).isEqualTo("peak");
    assertThat(Values.heading(new Column("wait_ms", Kind.COUNT))).isEqualTo("wait ms");
  }
}
