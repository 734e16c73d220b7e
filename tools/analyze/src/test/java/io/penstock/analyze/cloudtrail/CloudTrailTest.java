/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.cloudtrail;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.input.Head;
import io.penstock.analyze.input.LineParser.Verdict;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestReader;
import io.penstock.analyze.request.RequestRow;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CloudTrailTest {
  private final ParseStatistics statistics = new ParseStatistics();

  @Test
  void anExportMayHaveTheTimeOfElasticsearchOnly() throws IOException {
    RequestRow row = new RequestRow();
    String event = Trail.event("GetObject", "a/b.parquet", "");
    String renamed = event.replace("\"eventTime\"", "\"@timestamp\"");
    assertThat(renamed).isNotEqualTo(event);
    try (RequestReader reader = open(Trail.file(List.of(renamed)))) {
      assertThat(reader.next(row)).isTrue();
      assertThat(row.number(RequestColumn.TS_START)).isEqualTo(1_772_360_430_000_000L);
    }
  }

  @Test
  void anEventIsARow() throws IOException {
    RequestRow row = new RequestRow();
    try (RequestReader reader =
        open(Trail.file(List.of(Trail.event("GetObject", "a/b.parquet", ""))))) {
      assertThat(reader.next(row)).isTrue();
      assertThat(row.text(RequestColumn.SOURCE)).isEqualTo("cloudtrail");
      assertThat(row.number(RequestColumn.TS_START)).isEqualTo(1_772_360_430_000_000L);
      assertThat(row.text(RequestColumn.API)).isEqualTo("GetObject");
      assertThat(row.text(RequestColumn.CLASS)).isEqualTo("R");
      assertThat(row.text(RequestColumn.BUCKET)).isEqualTo("lake");
      assertThat(row.text(RequestColumn.KEY)).isEqualTo("a/b.parquet");
      assertThat(row.text(RequestColumn.DIR)).isEqualTo("a/");
      assertThat(row.number(RequestColumn.BYTES_IN)).isEqualTo(0);
      assertThat(row.number(RequestColumn.BYTES_OUT)).isEqualTo(1024);
      assertThat(row.text(RequestColumn.CLIENT_IP)).isEqualTo("10.0.0.7");
      assertThat(row.text(RequestColumn.USER_AGENT)).isEqualTo("aws-sdk-java/2.35.4 Linux");
      assertThat(row.text(RequestColumn.REQUESTER))
          .isEqualTo("arn:aws:sts::111122223333:assumed-role/etl/i-1");
      assertThat(row.text(RequestColumn.ROLE_ARN)).isEqualTo("arn:aws:iam::111122223333:role/etl");
      assertThat(row.text(RequestColumn.REQ_ID)).isEqualTo("R1");
      assertThat(row.number(RequestColumn.POSITION)).isEqualTo(12);
      assertThat(row.number(RequestColumn.THROTTLED)).isEqualTo(0);
      assertThat(row.has(RequestColumn.STATUS)).isFalse();
      assertThat(row.has(RequestColumn.ERR)).isFalse();
      assertThat(row.has(RequestColumn.TOTAL_US)).isFalse();
      assertThat(row.has(RequestColumn.RECORD)).isTrue();
      assertThat(reader.next(row)).isFalse();
      assertThat(reader.next(row)).isFalse();
    }
  }

  @Test
  void aPartOfAnUploadNamesIt() throws IOException {
    String event =
        Trail.event("UploadPart", "a", "")
            .replace("\"key\":", "\"uploadId\":\"U.9\",\"partNumber\":\"17\",\"key\":");
    RequestRow row = only(event);
    assertThat(row.text(RequestColumn.UPLOAD_ID)).isEqualTo("U.9");
    assertThat(row.number(RequestColumn.PART_NO)).isEqualTo(17);
  }

  @ParameterizedTest
  @CsvSource({
    "SlowDown, true, 503",
    "503 Slow Down, true, 503",
    "ServiceUnavailable, false, 503",
    "InternalError, false, 500",
    "AccessDenied, false, 403",
    "Odd, false, 0"
  })
  void errorsAreTold(String code, boolean throttled, int status) throws IOException {
    RequestRow row = only(Trail.event("PutObject", "a", ",\"errorCode\":\"" + code + "\""));
    assertThat(row.text(RequestColumn.ERR)).isEqualTo(code);
    assertThat(row.number(RequestColumn.THROTTLED)).isEqualTo(throttled ? 1 : 0);
    assertThat(row.number(RequestColumn.STATUS)).isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "day=1/a%3A00|day=1/a%3A00",
        "a b+c|a b+c",
        "\\u0416\\ud83d\\ude00\\/x|Ж😀/x",
        "Ж/\\\"q\\\"\\\\|Ж/\"q\"\\"
      })
  void keysAreTakenAsTheyAre(String written, String key) throws IOException {
    assertThat(only(Trail.event("GetObject", written, "")).text(RequestColumn.KEY)).isEqualTo(key);
  }

  @Test
  void aUserWithoutARoleStandsForHimself() throws IOException {
    String event =
        Trail.event("GetObject", "a", "")
            .replaceFirst("\"sessionContext\":\\{.*?\\}\\}\\}", "\"userName\":\"u\"}");
    assertThat(only(event).text(RequestColumn.ROLE_ARN))
        .isEqualTo("arn:aws:sts::111122223333:assumed-role/etl/i-1");
  }

  @Test
  void whatIsNoneOfOursIsCounted() throws IOException {
    String event = Trail.event("GetObject", "a", "");
    List<RequestRow> rows =
        rows(
            Trail.file(
                List.of(
                    event.replace("\"Data\"", "\"Management\""),
                    event.replace(
                        "s3.amazonaws.com\",\"eventName", "kms.amazonaws.com\",\"eventName"),
                    event.replace("\"Data\"", "\"Insight\""),
                    event.replace("2026-03-01T10:20:30Z", "yesterday"),
                    "{\"digestEndTime\":\"2026\"}",
                    event)));
    assertThat(rows).hasSize(1);
    assertThat(statistics.records()).isEqualTo(6);
    assertThat(statistics.skipped())
        .containsOnlyKeys(
            "is a management event",
            "is a call of another service",
            "is neither data nor management");
    assertThat(statistics.rejected())
        .containsOnlyKeys("its time cannot be read", "it is not a CloudTrail event");
  }

  @Test
  void olderEventsHaveNoCategory() throws IOException {
    String old = Trail.event("GetObject", "a", "").replace(",\"eventCategory\":\"Data\"", "");
    assertThat(rows(Trail.file(List.of(old, old.replace("GetObject", "PutBucketPolicy")))))
        .hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 100, 4000})
  void eventsOfEveryWrappingAreRead(int chunk) throws IOException {
    String event = Trail.event("GetObject", "a", "");
    List<String> three = List.of(event, event, event);
    String pretty = Trail.file(three).replace(",\"", ",\n  \"").replace("{", " {\n  ");
    for (String text :
        List.of(
            Trail.file(three),
            pretty,
            "\ufeff" + Trail.file(three),
            "[" + String.join(",\n", three) + "]",
            String.join("\n", three),
            String.join("\r\n", three) + "\r\n",
            Trail.file(List.of(event))
                + Trail.file(List.of())
                + "\n"
                + Trail.file(List.of(event, event)))) {
      InputStream in =
          new ByteArrayInputStream(text.getBytes(UTF_8)) {
            @Override
            public synchronized int read(byte[] target, int start, int count) {
              return super.read(target, start, Math.min(count, chunk));
            }
          };
      ParseStatistics own = new ParseStatistics();
      int rows = 0;
      try (RequestReader reader = new CloudTrailFiles().open(in, own)) {
        RequestRow row = new RequestRow();
        while (reader.next(row)) {
          rows++;
        }
      }
      assertThat(rows).as(text.substring(0, 30)).isEqualTo(3);
      assertThat(own.records()).isEqualTo(3);
    }
  }

  @Test
  void aCutFileIsReadAsFarAsItGoes() throws IOException {
    String event = Trail.event("GetObject", "a", "");
    String file = Trail.file(List.of(event, event, event));
    assertThat(rows(file.substring(0, file.length() - 30))).hasSize(2);
    assertThat(statistics.rejected()).containsOnlyKeys("it is cut off at the end of the file");
  }

  @Test
  void aDamagedEventDoesNotTakeTheNextWithIt() throws IOException {
    String event = Trail.event("GetObject", "a", "");
    String unquoted = event.replace("\"eventName\":\"GetObject\"", "\"eventName\":\"GetObject");
    String unclosed = event.substring(0, event.length() - 40);
    assertThat(rows(Trail.file(List.of(event, unquoted, event, event)))).hasSize(3);
    assertThat(rows(String.join("\n", List.of(event, unclosed, "garbage", event, event))))
        .hasSizeGreaterThanOrEqualTo(2);
    assertThat(statistics.rejectedRecords()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void anEventOfManyMegabytesIsLeftOut() throws IOException {
    String event = Trail.event("GetObject", "a", "");
    String huge = Trail.event("GetObject", "x".repeat(9 << 20), "");
    assertThat(rows(Trail.file(List.of(event, huge)) + "\n" + Trail.file(List.of(event, event))))
        .hasSize(3);
    assertThat(statistics.rejected()).containsOnlyKeys("it is longer than 4 MiB");
  }

  @Test
  void bracesWithoutEndTakeNoTime() throws IOException {
    assertThat(rows("{\"eventVersion\":[".repeat(200_000))).isEmpty();
    assertThat(rows("{\"eventVersion\":".repeat(200_000))).isEmpty();
    assertThat(rows("{\"eventVersion\":[".repeat(80_000) + "]x".repeat(80_000))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void anyDamageIsCountedAndNothingElse(long seed) {
    SplittableRandom chance = new SplittableRandom(seed);
    String event = Trail.event("GetObject", "a", "");
    for (int round = 0; round < 300; round++) {
      byte[] text = Trail.file(List.of(event, event, event, event)).getBytes(UTF_8);
      for (int i = chance.nextInt(5); i >= 0; i--) {
        text[chance.nextInt(text.length)] = (byte) chance.nextInt();
      }
      byte[] cut = chance.nextBoolean() ? text : Arrays.copyOf(text, chance.nextInt(text.length));
      ParseStatistics own = new ParseStatistics();
      String replay =
          "seed %d, round %d: surefire:test -Dtest=CloudTrailTest#anyDamageIsCountedAndNothingElse"
              .formatted(seed, round);
      try (RequestReader reader = new CloudTrailFiles().open(new ByteArrayInputStream(cut), own)) {
        RequestRow row = new RequestRow();
        long rows = 0;
        while (reader.next(row)) {
          rows++;
        }
        assertThat(own.requests()).as(replay).isEqualTo(rows);
        assertThat(own.rejectedRecords() + rows + skipped(own)).as(replay).isEqualTo(own.records());
        new CloudTrailLines().lines().orElseThrow().parse(cut, 0, cut.length, row);
      } catch (IOException | RuntimeException e) {
        throw new AssertionError(replay, e);
      }
    }
  }

  @Test
  void theFormatsAreToldApart() {
    String event = Trail.event("GetObject", "a", "");
    assertThat(new CloudTrailFiles().matches(head(Trail.file(List.of(event))))).isTrue();
    assertThat(new CloudTrailFiles().matches(head(Trail.file(List.of())))).isTrue();
    assertThat(new CloudTrailFiles().matches(head("[" + event + "]"))).isTrue();
    assertThat(new CloudTrailFiles().matches(head(event + "\n" + event))).isFalse();
    assertThat(new CloudTrailLines().matches(head(event + "\n" + event))).isTrue();
    assertThat(new CloudTrailLines().matches(head(Trail.file(List.of(event))))).isFalse();
    assertThat(new CloudTrailLines().matches(head("{\"ts\":1}"))).isFalse();
    String notification =
        "{\"Records\":[{\"eventVersion\":\"2.2\",\"eventSource\":\"aws:s3\",\"eventName\":\"ObjectCreated:Put\",\"s3\":{}}]}";
    assertThat(new CloudTrailFiles().matches(head(notification))).isFalse();
  }

  @Test
  void linesAreParsedAlone() {
    RequestRow row = new RequestRow();
    byte[] line = ("x" + Trail.event("GetObject", "a", "") + " \r").getBytes(UTF_8);
    assertThat(new CloudTrailLines().lines().orElseThrow().parse(line, 1, line.length, row))
        .isEqualTo(Verdict.REQUEST);
    assertThat(row.text(RequestColumn.KEY)).isEqualTo("a");
    byte[] more = "{} {}".getBytes(UTF_8);
    assertThat(new CloudTrailLines().lines().orElseThrow().parse(more, 0, 5, row).reason())
        .isEqualTo("there is more behind its end");
    assertThat(new CloudTrailLines().lines().orElseThrow().parse(line, 1, 90, row).reason())
        .isEqualTo("it is cut off");
  }

  private static long skipped(ParseStatistics statistics) {
    return statistics.skipped().values().stream().mapToLong(ParseStatistics.Case::count).sum();
  }

  private static Head head(String text) {
    return Head.of(text.getBytes(UTF_8));
  }

  private RequestReader open(String text) throws IOException {
    return new CloudTrailFiles().open(new ByteArrayInputStream(text.getBytes(UTF_8)), statistics);
  }

  private RequestRow only(String event) throws IOException {
    List<RequestRow> rows = rows(Trail.file(List.of(event)));
    assertThat(rows).hasSize(1);
    return rows.get(0);
  }

  private List<RequestRow> rows(String text) throws IOException {
    List<RequestRow> rows = new ArrayList<>();
    try (RequestReader reader = open(text)) {
      RequestRow row = new RequestRow();
      while (reader.next(row)) {
        rows.add(row);
        row = new RequestRow();
      }
    }
    return rows;
  }
}
