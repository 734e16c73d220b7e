/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.requestlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.input.Head;
import io.penstock.analyze.input.LineParser.Verdict;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestRow;
import io.penstock.core.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestLogFormatTest {
  private static final String LINE =
      "{\"ts_ms\":1767225600250,\"op\":\"UPLOAD_PART\",\"bucket\":\"lake\","
          + "\"key\":\"day=1/a\\\"b\\\\c\\u000ad\",\"outcome\":\"%s\",\"total_us\":1500,"
          + "\"sent_bytes\":10,\"received_bytes\":0,\"hedge\":true,"
          + "\"cut_because\":\"no answer within 2.1 s\",\"ip\":\"192.0.2.7\",\"req_id\":\"4F2A\","
          + "\"process\":\"node-1-77\"}";

  private final RequestRow row = new RequestRow();

  @Test
  void aThrottledAttemptIsA503() {
    assertThat(parse(LINE.formatted("THROTTLED"))).isEqualTo(Verdict.REQUEST);
    row.finish();

    assertThat(row.text(RequestColumn.SOURCE)).isEqualTo("request_log");
    assertThat(row.text(RequestColumn.API)).isEqualTo("UploadPart");
    assertThat(row.text(RequestColumn.KEY)).isEqualTo("day=1/a\"b\\c\nd");
    assertThat(row.number(RequestColumn.STATUS)).isEqualTo(503);
    assertThat(row.text(RequestColumn.ERR)).isEqualTo("SlowDown");
    assertThat(row.number(RequestColumn.THROTTLED)).isEqualTo(1);
    assertThat(row.number(RequestColumn.TS_START)).isEqualTo(1_767_225_600_250_000L);
    assertThat(row.number(RequestColumn.TS_END)).isEqualTo(1_767_225_600_251_500L);
    assertThat(row.number(RequestColumn.TOTAL_US)).isEqualTo(1_500);
    assertThat(row.number(RequestColumn.BYTES_IN)).isEqualTo(10);
    assertThat(row.number(RequestColumn.HEDGE)).isEqualTo(1);
    assertThat(row.text(RequestColumn.CUT)).isEqualTo("no answer within 2.1 s");
    assertThat(row.text(RequestColumn.REQ_ID)).isEqualTo("4F2A");
    assertThat(row.text(RequestColumn.EXEC_ID)).isEqualTo("node-1-77");
  }

  @Test
  void aWaitIsNoRequest() {
    parse(LINE.formatted("WAITED"));
    row.finish();

    assertThat(row.text(RequestColumn.API)).isEqualTo("Wait");
    assertThat(row.text(RequestColumn.CLASS)).isEqualTo("-");
    assertThat(row.number(RequestColumn.WAIT_US)).isEqualTo(1_500);
    assertThat(row.has(RequestColumn.TOTAL_US)).isFalse();
    assertThat(row.has(RequestColumn.STATUS)).isFalse();
  }

  @Test
  void whatGoesWellHasNoError() {
    parse(LINE.formatted("OK"));

    assertThat(row.number(RequestColumn.STATUS)).isEqualTo(200);
    assertThat(row.has(RequestColumn.ERR)).isFalse();
  }

  @Test
  void aLostConnectionHasNoStatus() {
    parse(LINE.formatted("CONNECTION_LOST"));

    assertThat(row.has(RequestColumn.STATUS)).isFalse();
    assertThat(row.text(RequestColumn.ERR)).isEqualTo("CONNECTION_LOST");
  }

  @ParameterizedTest
  @EnumSource(StoreException.Kind.class)
  void everyFailureHasAnError(StoreException.Kind kind) {
    parse(LINE.formatted(kind.name()));

    assertThat(row.has(RequestColumn.ERR)).isTrue();
    boolean isWithoutAnswer =
        kind == StoreException.Kind.UNREACHABLE || kind == StoreException.Kind.CONNECTION_LOST;
    assertThat(row.has(RequestColumn.STATUS)).isEqualTo(!isWithoutAnswer);
  }

  @Test
  void aNewOperationKeepsItsName() {
    parse(LINE.formatted("OK").replace("UPLOAD_PART", "RENAME"));

    assertThat(row.text(RequestColumn.API)).isEqualTo("RENAME");
    assertThat(row.text(RequestColumn.CLASS)).isEqualTo("-");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "{}",
        "{\"ts_ms\":1}",
        "{\"ts_ms\":1,\"op\":\"GET\"}",
        "{\"ts_ms\":\"x\",\"op\":\"GET\",\"outcome\":\"OK\"}",
        "{\"ts_ms\":1,\"op\":\"GET\",\"outcome\":\"OK\"",
        "{\"ts_ms\":1,\"op\":\"GET\",\"outcome\":\"OK\"}}",
        "{\"ts_ms\":1,\"op\":\"GET\",\"outcome\":\"OK\\",
        "not JSON",
      })
  void whatIsNoLineOfOursIsRejected(String line) {
    assertThat(parse(line).what()).isEqualTo(Verdict.rejected("").what());
  }

  @Test
  void theFormatIsKnownByItsFirstLine() {
    RequestLogFormat format = new RequestLogFormat();

    assertThat(format.matches(head(LINE))).isTrue();
    assertThat(format.matches(head("{\"ts\":\"2026-01-01\",\"op\":\"GET\"}"))).isFalse();
    assertThat(format.matches(head(""))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void damagedLinesAreJudged(long seed) {
    SplittableRandom chance = new SplittableRandom(seed);
    byte[] whole = LINE.formatted("OK").getBytes(StandardCharsets.UTF_8);
    for (int round = 0; round < 5_000; round++) {
      byte[] line = Arrays.copyOf(whole, 1 + chance.nextInt(whole.length));
      for (int i = chance.nextInt(5); i > 0; i--) {
        line[chance.nextInt(line.length)] = (byte) "{}\",:\\u0 ".charAt(chance.nextInt(9));
      }
      row.clear();
      try {
        if (new RequestLogParser().parse(line, 0, line.length, row).equals(Verdict.REQUEST)) {
          row.finish();
        }
      } catch (RuntimeException e) {
        throw new AssertionError(
            "seed %d, round %d; replay with -Dtest=RequestLogFormatTest#damagedLinesAreJudged"
                .formatted(seed, round),
            e);
      }
    }
  }

  private static Head head(String text) {
    return Head.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private Verdict parse(String line) {
    byte[] text = ("#" + line + "#").getBytes(StandardCharsets.UTF_8);
    return new RequestLogParser().parse(text, 1, text.length - 1, row);
  }
}
