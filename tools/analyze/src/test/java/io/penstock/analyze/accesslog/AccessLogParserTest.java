/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.accesslog;

import static io.penstock.analyze.request.RequestColumn.API;
import static io.penstock.analyze.request.RequestColumn.BUCKET;
import static io.penstock.analyze.request.RequestColumn.BYTES_IN;
import static io.penstock.analyze.request.RequestColumn.BYTES_OUT;
import static io.penstock.analyze.request.RequestColumn.CLASS;
import static io.penstock.analyze.request.RequestColumn.CLIENT_IP;
import static io.penstock.analyze.request.RequestColumn.DIR;
import static io.penstock.analyze.request.RequestColumn.ERR;
import static io.penstock.analyze.request.RequestColumn.KEY;
import static io.penstock.analyze.request.RequestColumn.OBJ_SIZE;
import static io.penstock.analyze.request.RequestColumn.PART_NO;
import static io.penstock.analyze.request.RequestColumn.REQUESTER;
import static io.penstock.analyze.request.RequestColumn.REQ_ID;
import static io.penstock.analyze.request.RequestColumn.ROLE_ARN;
import static io.penstock.analyze.request.RequestColumn.SOURCE_REGION;
import static io.penstock.analyze.request.RequestColumn.STATUS;
import static io.penstock.analyze.request.RequestColumn.THROTTLED;
import static io.penstock.analyze.request.RequestColumn.TOTAL_US;
import static io.penstock.analyze.request.RequestColumn.TS_END;
import static io.penstock.analyze.request.RequestColumn.TS_START;
import static io.penstock.analyze.request.RequestColumn.TTFB_US;
import static io.penstock.analyze.request.RequestColumn.UPLOAD_ID;
import static io.penstock.analyze.request.RequestColumn.USER_AGENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.input.LineParser.Verdict;
import io.penstock.analyze.request.RequestRow;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessLogParserTest {
  private static final String HEAD =
      "79a59df900b949e5 lake [04/Jun/2024:14:40:12 +0000] 10.0.1.7"
          + " arn:aws:sts::123456789012:assumed-role/Spark/i-0123 3E57427F3EXAMPLE ";
  private static final String PART =
      "REST.PUT.PART out/part-00001-c000.parquet"
          + " \"PUT /out/part-00001-c000.parquet?partNumber=3&uploadId=abc.DEF_1 HTTP/1.1\"";
  private static final String TAIL =
      " - Oz1b== SigV4 TLS_AES_128_GCM_SHA256 AuthHeader lake.s3.us-east-1.amazonaws.com TLSv1.3 -"
          + " -";

  private final RequestRow row = new RequestRow();

  private Verdict parse(String line) {
    byte[] text = ("before\n" + line + "\nbehind").getBytes(StandardCharsets.UTF_8);
    row.clear();
    Verdict verdict = new AccessLogParser().parse(text, 7, text.length - 7, row);
    row.finish();
    return verdict;
  }

  private static long micros(String instant) {
    return Instant.parse(instant).toEpochMilli() * 1_000;
  }

  /** S3 names the region of every request from AWS, of those from the bucket's region too. */
  @ParameterizedTest
  @CsvSource({
    "lake.s3.us-east-1.amazonaws.com, false",
    "s3.us-east-1.amazonaws.com, false",
    "lake.s3.dualstack.us-east-1.amazonaws.com, false",
    "lake.s3-us-east-1.amazonaws.com, false",
    "lake.s3.amazonaws.com, false",
    "s3-external-1.amazonaws.com, false",
    "s3-fips-us-east-1.amazonaws.com, false",
    "lake.s3-website-us-east-1.amazonaws.com, false",
    "lake.s3-website-eu-west-1.amazonaws.com, true",
    "minio.local:9000, false",
    "-, false",
    "lake.s3.us-east-2.amazonaws.com, true",
    "us-east-1.s3-eu-west-1.amazonaws.com, true",
    "ap-1.s3-accesspoint.cn-north-1.amazonaws.com.cn, true"
  })
  void aRegionIsKeptIfItIsNotTheHosts(String host, boolean isAnother) {
    parse(
        HEAD
            + PART
            + " 200 - - 5452595 87 12 \"-\" \"agent\""
            + TAIL.replace("lake.s3.us-east-1.amazonaws.com", host)
            + " us-east-1");
    assertThat(row.text(SOURCE_REGION)).isEqualTo(isAnother ? "us-east-1" : null);
  }

  @Test
  void aLineOfTodayYieldsEveryField() {
    Verdict verdict =
        parse(
            HEAD
                + PART
                + " 503 SlowDown 271 5452595 87 12 \"-\" \"aws-sdk-java/2.35.4 md/OpenJDK\""
                + TAIL
                + " us-west-2");

    assertThat(verdict).isSameAs(Verdict.REQUEST);
    assertThat(row.text(BUCKET)).isEqualTo("lake");
    assertThat(row.number(TS_START)).isEqualTo(micros("2024-06-04T14:40:12Z"));
    assertThat(row.number(TS_END)).isEqualTo(micros("2024-06-04T14:40:12.087Z"));
    assertThat(row.text(CLIENT_IP)).isEqualTo("10.0.1.7");
    assertThat(row.text(REQUESTER)).endsWith("assumed-role/Spark/i-0123");
    assertThat(row.text(ROLE_ARN)).isEqualTo("arn:aws:sts::123456789012:assumed-role/Spark");
    assertThat(row.text(REQ_ID)).isEqualTo("3E57427F3EXAMPLE");
    assertThat(row.text(API)).isEqualTo("UploadPart");
    assertThat(row.text(CLASS)).isEqualTo("W");
    assertThat(row.text(KEY)).isEqualTo("out/part-00001-c000.parquet");
    assertThat(row.text(DIR)).isEqualTo("out/");
    assertThat(row.text(UPLOAD_ID)).isEqualTo("abc.DEF_1");
    assertThat(row.number(PART_NO)).isEqualTo(3);
    assertThat(row.number(STATUS)).isEqualTo(503);
    assertThat(row.text(ERR)).isEqualTo("SlowDown");
    assertThat(row.number(THROTTLED)).isEqualTo(1);
    assertThat(row.number(BYTES_OUT)).isEqualTo(271);
    assertThat(row.number(OBJ_SIZE)).isEqualTo(5_452_595);
    assertThat(row.number(BYTES_IN)).isEqualTo(5_452_595);
    assertThat(row.number(TOTAL_US)).isEqualTo(87_000);
    assertThat(row.number(TTFB_US)).isEqualTo(12_000);
    assertThat(row.text(USER_AGENT)).isEqualTo("aws-sdk-java/2.35.4 md/OpenJDK");
    assertThat(row.text(SOURCE_REGION)).isEqualTo("us-west-2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-", "rest.get.object", "GET", "REST,GET", "\u0434.A", ".A"})
  void anOperationLooksLikeOne(String operation) {
    Verdict verdict =
        parse(
            "owner lake [06/Feb/2012:00:00:38 -0500] 192.0.2.3 owner 3E57 "
                + operation
                + " a/b \"GET /lake/a/b HTTP/1.1\" 200 - 113 113 7 6 \"-\" \"S3Console/0.4\"");
    assertThat(verdict.reason()).isEqualTo("it names no operation");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2005", "2100", "9999", "0001"})
  void aTimeIsOneInWhichS3Exists(String year) {
    Verdict verdict =
        parse(
            "owner lake [06/Feb/"
                + year
                + ":00:00:38 +0000] 192.0.2.3 owner 3E57 REST.GET.OBJECT a/b \"GET /lake/a/b"
                + " HTTP/1.1\" 200 - 113 113 7 6 \"-\" \"S3Console/0.4\"");
    assertThat(verdict.reason()).isEqualTo("its time cannot be read");
  }

  @ParameterizedTest
  @ValueSource(strings = {"+9999", "-1900", "+0060"})
  void aZoneIsOnEarth(String zone) {
    Verdict verdict =
        parse(
            "owner lake [06/Feb/2012:00:00:38 "
                + zone
                + "] 192.0.2.3 owner 3E57 REST.GET.OBJECT a/b \"GET /lake/a/b HTTP/1.1\" 200 - 113"
                + " 113 7 6 \"-\" \"S3Console/0.4\"");
    assertThat(verdict.reason()).isEqualTo("its time cannot be read");
  }

  @Test
  void theLinesOf2012HaveSeventeenFields() {
    Verdict verdict =
        parse(
            "owner lake [06/Feb/2012:00:00:38 -0500] 192.0.2.3 owner 3E57 REST.GET.OBJECT a/b"
                + " \"GET /lake/a/b HTTP/1.1\" 200 - 113 113 7 6 \"-\" \"S3Console/0.4\"");

    assertThat(verdict).isSameAs(Verdict.REQUEST);
    assertThat(row.number(TS_START)).isEqualTo(micros("2012-02-06T05:00:38Z"));
    assertThat(row.text(USER_AGENT)).isEqualTo("S3Console/0.4");
    assertThat(row.has(ERR)).isFalse();
    assertThat(row.has(SOURCE_REGION)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // A quote inside the request, and one that looks like its end.
        "REST.GET.OBJECT a%22b \"GET /a\"b HTTP/1.1\" 200 - 5 5 7 6 \"-\" \"x\" -",
        "REST.GET.OBJECT a%22b \"GET /a\" b HTTP/1.1\" 200 - 5 5 7 6 \"-\" \"x\" -",
        // A bare dash for any of the quoted ones.
        "REST.GET.OBJECT a - 200 - 5 5 7 6 \"-\" \"x\" -",
        "REST.GET.OBJECT a \"-\" 200 - 5 5 7 6 - - -",
        "REST.GET.OBJECT a \"GET /a HTTP/1.1\" 200 - 5 5 7 6 - \"x\"",
        // Several spaces.
        "REST.GET.OBJECT  a  \"GET /a HTTP/1.1\"  200  -  5  5  7  6  \"-\"  \"x\"  -",
        // Quotes inside the referer and the user agent.
        "REST.GET.OBJECT a \"GET /a HTTP/1.1\" 200 - 5 5 7 6 \"http://a/\"b\"\" \"x \"y\" z\" -",
        // One more field before the host id, and a quote and a semicolon at the end.
        "REST.GET.OBJECT a \"GET /a HTTP/1.1\" 200 - 5 5 7 6 \"-\" \"x\" - extra id SigV4 - - -",
        "REST.GET.OBJECT a \"GET /a HTTP/1.1\" 200 - 5 5 7 6 \"-\" \"x\";",
        "REST.GET.OBJECT a \"GET /a HTTP/1.1\" 200 - 5 5 7 6 \"-\" \"x - cut",
        // Letters that are not ASCII.
        "REST.GET.OBJECT \u0434\u0430\u043d\u043d\u044b\u0435/a \"GET /\u0434 HTTP/1.1\" 200 - 5 5"
            + " 7 6 \"-\" \"\u0445\" -",
      })
  void whatPublishedLogsHaveInThemIsRead(String rest) {
    assertThat(parse(HEAD + rest)).isSameAs(Verdict.REQUEST);
    assertThat(row.text(API)).isEqualTo("GetObject");
    assertThat(row.number(STATUS)).isEqualTo(200);
    assertThat(row.number(BYTES_OUT)).isEqualTo(5);
    assertThat(row.number(TOTAL_US)).isEqualTo(7_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "owner lake",
        "owner lake [04/Jun/2024:14:40:12 +0000]",
        "owner lake [04/Jux/2024:14:40:12 +0000] 1 2 3 REST.GET.OBJECT a - 200 - 5 5 7 6 - -",
        "owner lake [41/Jun/2024:14:40:12 +0000] 1 2 3 REST.GET.OBJECT a - 200 - 5 5 7 6 - -",
        "owner lake [04/Jun/2024:14:40:12 +0000] 1 2 3 REST.GET.OBJECT a \"GET /a",
        "owner lake [04/Jun/2024:14:40:12 +0000] 1 2 3 REST.GET.OBJECT a - 200 - five 5 7 6 - -",
        "owner lake [04/Jun/2024:14:40:12 +0000] 1 2 3 REST.GET.OBJECT a - 200 - 5 5",
      })
  void whatIsNoRecordIsRejectedWithAReason(String line) {
    Verdict verdict = parse(line);
    assertThat(verdict).isNotSameAs(Verdict.REQUEST);
    assertThat(verdict.reason()).isNotBlank();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "S3.EXPIRE.OBJECT a - - - - - - - - -",
        "BATCH.DELETE.OBJECT a - 204 - - 5 - - - -",
        "REST.COPY.OBJECT_GET a - 200 - - 5 - - - -",
      })
  void whatIsNoRequestOfItsOwnIsPassedOver(String rest) {
    assertThat(parse(HEAD + rest).what().name()).isEqualTo("SKIPPED");
  }

  /** S3 encodes a key twice, others as in the URI. */
  @ParameterizedTest
  @CsvSource({
    "day%3D01/a%2520b%zz, /x, day=01/a b%zz",
    "day%253D01/a, /day%3D01/a?partNumber=1, day=01/a",
    "day%253D01/a, /lake/day%253D01/a?partNumber=1, day%3D01/a",
    "day%3D01/a, /day%3D01/a, day=01/a",
  })
  void keysAreDecodedAsOftenAsTheyAreEncoded(String logged, String path, String key) {
    parse(
        HEAD + "REST.GET.OBJECT %s \"GET %s HTTP/1.1\" 200 - 5 5 7 6 - -".formatted(logged, path));
    assertThat(row.text(KEY)).isEqualTo(key);
    assertThat(row.text(DIR)).isEqualTo(key.substring(0, key.indexOf('/') + 1));
  }

  @Test
  void anOperationThatIsNotKnownKeepsItsName() {
    parse(HEAD + "REST.GET.ACL - \"GET /?acl HTTP/1.1\" 200 - 5 - 7 6 - -");
    assertThat(row.text(API)).isEqualTo("REST.GET.ACL");
    assertThat(row.text(CLASS)).isEqualTo("-");
    assertThat(row.has(KEY)).isFalse();
  }

  @Test
  void onlySlowDownIsThrottling() {
    String rest = " \"HEAD /a HTTP/1.1\" 503 %s - - 7 6 - -";
    parse(HEAD + "REST.HEAD.OBJECT a" + rest.formatted("-"));
    assertThat(row.number(THROTTLED)).isEqualTo(1);
    parse(HEAD + "REST.HEAD.OBJECT a" + rest.formatted("ServiceUnavailable"));
    assertThat(row.number(THROTTLED)).isZero();
  }

  @Test
  void theCalendarIsTheOneOfJava() {
    for (int year : new int[] {2007, 2008, 2024, 2025, 2096, 2099}) {
      for (String day : new String[] {"01/Jan", "28/Feb", "01/Mar", "31/Dec"}) {
        parse(
            "o b ["
                + day
                + "/"
                + year
                + ":23:59:58 +0130] 1 2 3 REST.GET.OBJECT a - 200 - 5 5 7 6 - -");
        int month = "JanFebMarDec".indexOf(day.substring(3)) / 3;
        String iso =
            "%d-%02d-%sT22:29:58Z"
                .formatted(year, month == 3 ? 12 : month + 1, day.substring(0, 2));
        assertThat(row.number(TS_START)).as(iso).isEqualTo(micros(iso));
      }
    }
  }
}
