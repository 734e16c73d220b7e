/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestRow;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuditRefererTest {
  private final AuditReferer audit = new AuditReferer();

  private static final String SPAN = "88f06a66-4a53-4fe4-b3f9-bb848ee4bcd2-00000023";
  private static final String PROCESS = "2eac5a04-2153-48db-896a-09bc9a2fd132";
  private static final String FULL =
      "https://audit.example.org/hadoop/1/op_open/"
          + SPAN
          + "/?op=op_open&p1=s3a://lake/day=01/part-7.parquet&pr=alice&ps="
          + PROCESS
          + "&rg=1024-2047&id="
          + SPAN
          + "&t0=12&fs=88f06a66-4a53-4fe4-b3f9-bb848ee4bcd2&t1=13"
          + "&ta=attempt_202606041440129182736455_0003_m_000005_17&ts=1717512012345";

  @Test
  void aWholeRefererSaysWhoAskedForWhat() {
    RequestRow row = decoded(FULL);

    assertThat(row.has(RequestColumn.AUDITED)).isTrue();
    assertThat(row.text(RequestColumn.EXEC_ID)).isEqualTo(PROCESS);
    assertThat(row.number(RequestColumn.RANGE_START)).isEqualTo(1024);
    assertThat(row.number(RequestColumn.RANGE_END)).isEqualTo(2048);
    assertThat(row.has(RequestColumn.APP_ID)).isFalse();
    assertThat(row.number(RequestColumn.STAGE)).isEqualTo(3);
    assertThat(row.number(RequestColumn.TASK)).isEqualTo(17);
  }

  @Test
  void penstockNamesTheApplicationAndTheQueryToo() {
    RequestRow row =
        decoded(
            "https://audit.example.org/hadoop/1/op_get/s-1/?op=op_get&id=s-1&ps="
                + PROCESS
                + "&ts=1717512012345&ap=spark-4f2a&qe=7&sa=0&ta=attempt_0_0003_m_000012_417");

    assertThat(row.text(RequestColumn.APP_ID)).isEqualTo("spark-4f2a");
    assertThat(row.number(RequestColumn.QUERY)).isEqualTo(7);
    assertThat(row.number(RequestColumn.STAGE)).isEqualTo(3);
    assertThat(row.number(RequestColumn.TASK)).isEqualTo(417);
  }

  @ParameterizedTest
  @ValueSource(strings = {"attempt_1_0003_m_000005", "attempt_", "_____", "3", "attempt_1_x_m_y_z"})
  void aDamagedTaskIsNone(String task) {
    RequestRow row = decoded("https://audit.example.org/hadoop/1/op_get/s-1/?ta=" + task);

    assertThat(row.has(RequestColumn.STAGE)).isFalse();
    assertThat(row.has(RequestColumn.TASK)).isFalse();
  }

  @Test
  void quotesAroundItDoNotMatter() {
    RequestRow row = decoded('"' + FULL + '"');

    assertThat(row.text(RequestColumn.EXEC_ID)).isEqualTo(PROCESS);
    assertThat(row.has(RequestColumn.AUDITED)).isTrue();
  }

  @Test
  void theOldFormHasSpanAndOperation() {
    RequestRow row =
        decoded("http://hadoop.apache.org/audit/" + PROCESS + "/span/17/operation/op_rename");

    assertThat(row.has(RequestColumn.AUDITED)).isTrue();
    assertThat(row.has(RequestColumn.EXEC_ID)).isFalse();
  }

  @Test
  void aCutRefererKeepsItsSpan() {
    RequestRow row = decoded(FULL.substring(0, FULL.indexOf("-896a")));

    assertThat(row.has(RequestColumn.AUDITED)).isTrue();
    assertThat(row.has(RequestColumn.EXEC_ID)).isFalse();
  }

  @Test
  void aCutSpanIsNone() {
    RequestRow row = decoded("https://audit.example.org/hadoop/1/op_open/88f06a66-4a53");

    assertThat(row.has(RequestColumn.AUDITED)).isFalse();
  }

  @Test
  void aJobOfYarnNamesItsApplication() {
    String referer = "https://audit.example.org/hadoop/1/op_create/s-1/?ji=";

    assertThat(decoded(referer + "job_1717511234567_0042").text(RequestColumn.APP_ID))
        .isEqualTo("application_1717511234567_0042");
    assertThat(decoded(referer + "job_202606041440129182736455_0003").has(RequestColumn.APP_ID))
        .isFalse();
    assertThat(decoded(referer + PROCESS).has(RequestColumn.APP_ID)).isFalse();
  }

  @Test
  void millisecondsAreTakenWithinTheSecondOfTheServer() {
    assertThat(startOf(1_717_512_012_000_000L)).isEqualTo(1_717_512_012_345_000L);
  }

  @Test
  void aSpanThatBeganInAnotherSecondSaysNothingOfTheRequest() {
    assertThat(startOf(1_717_512_013_000_000L)).isEqualTo(1_717_512_013_000_000L);
    assertThat(startOf(1_717_512_011_000_000L)).isEqualTo(1_717_512_011_000_000L);
  }

  @Test
  void aServerThatLogsMillisecondsKnowsBetter() {
    assertThat(startOf(1_717_512_012_999_000L)).isEqualTo(1_717_512_012_999_000L);
  }

  @Test
  void anOlderRangeHasAUnit() {
    RequestRow row = decoded("https://audit.example.org/hadoop/1/op_open/s-1/?rg=bytes=0-0");

    assertThat(row.number(RequestColumn.RANGE_START)).isZero();
    assertThat(row.number(RequestColumn.RANGE_END)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "\"",
        "\"\"",
        "https://console.aws.amazon.com/s3/buckets/lake?region=us-east-1&ps=1",
        "http://hadoop.apache.org/",
        "https:",
        "https://",
        "https://x/hadoop/1/?ps=<script>&ta=a b&rg=9-3&rg=-5&rg=99999999999999999999-3",
      })
  void anythingElseLeavesTheRowAsItIs(String referer) {
    RequestRow row = decoded(referer);

    for (RequestColumn column : RequestColumn.all()) {
      assertThat(row.has(column)).as("%s of %s", column, referer).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void damagedBytesAreReadWithoutFailing(long seed) {
    SplittableRandom chance = new SplittableRandom(seed);
    for (int round = 0; round < 5_000; round++) {
      byte[] bytes = FULL.getBytes(StandardCharsets.US_ASCII);
      for (int i = chance.nextInt(6); i > 0; i--) {
        bytes[chance.nextInt(bytes.length)] = (byte) "/?&=-\"0x\u00ff".charAt(chance.nextInt(9));
      }
      int start = chance.nextInt(3) == 0 ? chance.nextInt(bytes.length) : 0;
      int end = start + chance.nextInt(bytes.length - start + 1);
      RequestRow row = new RequestRow();
      row.clear();
      try {
        audit.decode(bytes, start, end, row);
      } catch (RuntimeException e) {
        throw new AssertionError(
            "seed %d, round %d; replay with -Dtest=AuditRefererTest#damagedBytesAreReadWithoutFailing"
                .formatted(seed, round),
            e);
      }
      byte[] process = row.bytes(RequestColumn.EXEC_ID);
      assertThat(process == null || process.length == 36).as("seed %d, %d", seed, round).isTrue();
      assertThat(row.number(RequestColumn.RANGE_END))
          .as("seed %d, round %d", seed, round)
          .isGreaterThanOrEqualTo(row.number(RequestColumn.RANGE_START));
    }
  }

  private long startOf(long serverMicros) {
    RequestRow row = new RequestRow();
    row.number(RequestColumn.TS_START, serverMicros);
    byte[] text = FULL.getBytes(StandardCharsets.US_ASCII);
    audit.decode(text, 0, text.length, row);
    return row.number(RequestColumn.TS_START);
  }

  private RequestRow decoded(String referer) {
    byte[] text = ("#" + referer + "#").getBytes(StandardCharsets.US_ASCII);
    RequestRow row = new RequestRow();
    audit.decode(text, 1, text.length - 1, row);
    return row;
  }
}
