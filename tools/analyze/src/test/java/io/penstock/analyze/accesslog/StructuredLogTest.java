/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.accesslog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.penstock.analyze.input.Head;
import io.penstock.analyze.input.LineParser.Verdict;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestRow;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StructuredLogTest {
  private static final String LINE =
      "{\"schema_version_id\":\"V_1_0\",\"bucket_arn\":\"arn:aws:s3:::lake\",\"bucket_name\":\"lake\","
          + "\"request_time\":\"2026-03-01T10:20:30.456Z\",\"bucket_owner_id\":\"79a5\",\"remote_ip\":"
          + "\"10.0.0.7\",\"requester\":\"arn:aws:sts::1:assumed-role/etl/i-1\",\"request_id\":\"R1\",\"operation\":\"REST.PUT.PART\",\"key_name\":\"a/b"
          + " c.parquet\",\"request_uri\":\"PUT /a/b%20c.parquet?partNumber=3&uploadId=U.9"
          + " HTTP/1.1\",\"http_status\":503,"
          + "\"error_code\":\"SlowDown\",\"bytes_sent\":280,\"object_size\":5242880,\"total_time\":17,"
          + "\"turn_around_time\":9,\"referrer\":null,\"user_agent\":\"aws-sdk-java/2\",\"host_id\":"
          + "\"h\",\"version_id\":null,\"acl_required\":null,\"source_region\":\"us-east-1\"}";

  private final RequestRow row = new RequestRow();

  @Test
  void aLineIsARow() {
    assertThat(parse(LINE)).isEqualTo(Verdict.REQUEST);
    assertThat(row.number(RequestColumn.TS_START)).isEqualTo(1_772_360_430_456_000L);
    assertThat(row.text(RequestColumn.SOURCE)).isEqualTo("access_log");
    assertThat(row.text(RequestColumn.BUCKET)).isEqualTo("lake");
    assertThat(row.text(RequestColumn.KEY)).isEqualTo("a/b c.parquet");
    assertThat(row.text(RequestColumn.API)).isEqualTo("UploadPart");
    assertThat(row.text(RequestColumn.UPLOAD_ID)).isEqualTo("U.9");
    assertThat(row.number(RequestColumn.PART_NO)).isEqualTo(3);
    assertThat(row.number(RequestColumn.STATUS)).isEqualTo(503);
    assertThat(row.text(RequestColumn.ERR)).isEqualTo("SlowDown");
    assertThat(row.number(RequestColumn.BYTES_OUT)).isEqualTo(280);
    assertThat(row.number(RequestColumn.BYTES_IN)).isEqualTo(5_242_880);
    assertThat(row.number(RequestColumn.TOTAL_US)).isEqualTo(17_000);
    assertThat(row.number(RequestColumn.TTFB_US)).isEqualTo(9_000);
    assertThat(row.text(RequestColumn.USER_AGENT)).isEqualTo("aws-sdk-java/2");
    assertThat(row.has(RequestColumn.SOURCE_REGION)).as("its host is not known").isFalse();
    assertThat(row.text(RequestColumn.ROLE_ARN)).isEqualTo("arn:aws:sts::1:assumed-role/etl");
    assertThat(row.has(RequestColumn.AUDITED)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "lake.s3.us-east-1.amazonaws.com, false",
    "lake.s3.amazonaws.com, false",
    "lake.s3.eu-west-1.amazonaws.com, true"
  })
  void aRegionIsKeptIfItIsNotTheHosts(String host, boolean isAnother) {
    parse(LINE.replace("\"host_id\"", "\"host_header\":\"" + host + "\",\"host_id\""));
    assertThat(row.text(RequestColumn.SOURCE_REGION)).isEqualTo(isAnother ? "us-east-1" : null);
  }

  @Test
  void otherSpellingsAreUnderstood() {
    String line =
        LINE.replace("key_name", "key")
            .replace("http_status\":503", "http_status\":\"503\"")
            .replace("turn_around_time", "turnaround_time")
            .replace(
                "\"referrer\":null",
                "\"referer\":\"https://audit.example.org/hadoop/1/op_create/5f-1/?op=op_create&ta=x\"");
    assertThat(parse(line)).isEqualTo(Verdict.REQUEST);
    assertThat(row.text(RequestColumn.KEY)).isEqualTo("a/b c.parquet");
    assertThat(row.number(RequestColumn.STATUS)).isEqualTo(503);
    assertThat(row.number(RequestColumn.TTFB_US)).isEqualTo(9_000);
    assertThat(row.has(RequestColumn.AUDITED)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "h=1%253A00, /h=1%253A00, h=1%3A00",
    "h=1%3A00, /h=1%253A00, h=1%3A00",
    "a%20b, /lake/a%20b?x=1, 'a b'",
    "a%20b, /other, a%20b"
  })
  void aKeyIsDecodedWhereTheRequestHasItSo(String key, String path, String expected) {
    parse(
        LINE.replace("a/b c.parquet", key)
            .replace("/a/b%20c.parquet?partNumber=3&uploadId=U.9", path));
    assertThat(row.text(RequestColumn.KEY)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "S3.EXPIRE.OBJECT, 'S3''s own work, such as lifecycle rules'",
    "BATCH.DELETE.OBJECT, 'one key of a batch delete, which has a record of its own'",
    "REST.COPY.OBJECT_GET, 'the source of a copy, which has a record of its own'"
  })
  void whatIsNoRequestOfItsOwnIsSkipped(String operation, String reason) {
    assertThat(parse(LINE.replace("REST.PUT.PART", operation))).isEqualTo(Verdict.skipped(reason));
  }

  @Test
  void whatCannotBeReadIsRejected() {
    assertThat(parse(LINE.substring(0, 300)).reason()).isEqualTo("it is cut off");
    assertThat(parse("[1]").reason()).isEqualTo("it is not JSON");
    assertThat(parse("{}").reason()).isEqualTo("its time cannot be read");
    assertThat(parse(LINE.replace("operation", "opus")).reason())
        .isEqualTo("it names no operation");
    assertThat(parse(LINE.replace("2026-03-01T", "2026-03-01X")).reason())
        .isEqualTo("its time cannot be read");
  }

  @Test
  void itIsKnownByItsVersion() {
    StructuredLog log = new StructuredLog();
    assertThat(log.matches(Head.of((LINE + "\n" + LINE).getBytes(UTF_8)))).isTrue();
    assertThat(log.matches(Head.of("{\"a\":1}\n{\"a\":1}\n".getBytes(UTF_8)))).isFalse();
    assertThat(new AccessLog().matches(Head.of(LINE.getBytes(UTF_8)))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void anyBytesGetAVerdict(long seed) {
    SplittableRandom chance = new SplittableRandom(seed);
    for (int round = 0; round < 3000; round++) {
      byte[] text = LINE.getBytes(UTF_8);
      for (int i = chance.nextInt(5); i >= 0; i--) {
        text[chance.nextInt(text.length)] = (byte) chance.nextInt();
      }
      byte[] cut = Arrays.copyOf(text, 1 + chance.nextInt(text.length));
      assertThatCode(
              () -> {
                row.clear();
                if (new StructuredParser().parse(cut, 0, cut.length, row).reason().isEmpty()) {
                  row.finish();
                }
              })
          .as("seed %d, round %d: -Dtest=StructuredLogTest#anyBytesGetAVerdict", seed, round)
          .doesNotThrowAnyException();
    }
  }

  private Verdict parse(String line) {
    row.clear();
    byte[] text = line.getBytes(UTF_8);
    return new StructuredParser().parse(text, 0, text.length, row);
  }
}
