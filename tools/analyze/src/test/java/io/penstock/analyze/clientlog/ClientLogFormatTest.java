/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.input.Head;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestReader;
import io.penstock.analyze.request.RequestRow;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientLogFormatTest {
  private static final String EXECUTING = "Executing request PUT /lake/a%20b?uploadId=U HTTP/1.1";
  private static final long AT_1440 = 1_717_512_012_000_000L; // 2024-06-04T14:40:12Z

  @Test
  void attemptsOfSdk2HaveTheirAnswersAlthoughThreadsInterleave() throws IOException {
    Logs logs = Logs.of("", Logs.resource("sdk2-spark.log"));

    assertThat(logs.all(RequestColumn.API))
        .containsExactly(
            "UploadPart", "UploadPart", "UploadPart", "UploadPart", "PutObject", "UploadPart");
    assertThat(logs.all(RequestColumn.STATUS)).containsExactly(503L, 200L, 503L, 503L, 200L, 200L);
    assertThat(logs.all(RequestColumn.THROTTLED)).containsExactly(1L, 0L, 1L, 1L, 0L, 0L);
    Map<RequestColumn, Object> first = logs.rows.get(0);
    Map<RequestColumn, Object> again = logs.rows.get(5);
    assertThat(first)
        .containsEntry(RequestColumn.BUCKET, "lake")
        .containsEntry(RequestColumn.KEY, "table/tä st/a b=0/part-00003-x.parquet")
        .containsEntry(RequestColumn.UPLOAD_ID, "upload-00000001")
        .containsEntry(RequestColumn.PART_NO, 1L)
        .containsEntry(RequestColumn.ATTEMPT, 1L)
        .containsEntry(RequestColumn.REQ_ID, "19FBBD62C13AE39F")
        .containsEntry(RequestColumn.ERR, "503 Slow Down")
        .containsEntry(RequestColumn.TOTAL_US, 28_000L)
        .containsEntry(RequestColumn.BYTES_IN, 2717L)
        .containsEntry(RequestColumn.AUDITED, 1L)
        .containsEntry(RequestColumn.EXEC_ID, "580af0a8-cc08-4d9f-8cce-230d387890a4");
    assertThat(again)
        .containsEntry(RequestColumn.ATTEMPT, 2L)
        .containsEntry(RequestColumn.INV_ID, first.get(RequestColumn.INV_ID))
        .containsEntry(RequestColumn.CHAIN, first.get(RequestColumn.CHAIN));
  }

  @Test
  void attemptsOfSdk1AreCountedOnceThoughAFailurePrintsThrice() throws IOException {
    Logs logs = Logs.of("", Logs.resource("sdk1-spark.log"));

    assertThat(logs.all(RequestColumn.API))
        .containsExactly("ListObjects", "ListObjects", "ListObjects", "HeadObject", "ListObjects");
    assertThat(logs.all(RequestColumn.ERR))
        .containsExactly("SlowDown", "SlowDown", null, "404 Not Found", null);
    assertThat(logs.all(RequestColumn.ATTEMPT)).containsExactly(1L, 1L, 2L, 2L, 1L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "24/06/04 14:40:12 DEBUG MainClientExec: ",
        "24/06/04 14:40:12.000 Executor task launch worker for task 3.0 in stage 1.0 (TID 7) DEBUG"
            + " MainClientExec: ",
        "2024-06-04 14:40:12,000 [Thread 7] DEBUG"
            + " com.amazon.ws.emr.hadoop.fs.shaded.org.apache.http.impl.execchain.MainClientExec"
            + " (MainClientExec.java:execute(255)) - ",
        "2024-06-04 14:40:12,000 DEBUG org.apache.http.impl.execchain.MainClientExec:255 - ",
        "2024-06-04T14:40:12.000Z stderr F 24/06/04 14:40:12 DEBUG MainClientExec: ",
        "2024-06-04T16:40:12+02:00 DEBUG MainClientExec: ",
      })
  void everyLayoutIsRead(String prefix) {
    Logs logs = Logs.of(prefix + EXECUTING + "\n");

    assertThat(new ClientLogFormat(logs.facts).matches(head(prefix + EXECUTING))).isTrue();
    assertThat(logs.only(RequestColumn.TS_START)).isEqualTo(AT_1440);
    assertThat(logs.only(RequestColumn.API)).isEqualTo("UploadPart");
    assertThat(logs.only(RequestColumn.KEY)).isEqualTo("a b");
    assertThat(logs.only(RequestColumn.UPLOAD_ID)).isEqualTo("U");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"ts\":\"2024-06-04T14:40:12.000Z\",\"level\":\"DEBUG\",\"msg\":\"%s\",\"context\":{},"
            + "\"logger\":\"MainClientExec\"}",
        "{\"log\":\"24/06/04 14:40:12 DEBUG MainClientExec: %s\\n\",\"stream\":\"stderr\","
            + "\"time\":\"2024-06-04T14:40:12.1Z\"}",
      })
  void structuredLogsAreRead(String line) {
    String log = line.formatted(EXECUTING);
    Logs logs = Logs.of(log);

    assertThat(new ClientLogFormat(logs.facts).matches(head(log))).isTrue();
    assertThat(logs.only(RequestColumn.TS_START)).isEqualTo(AT_1440);
    assertThat(logs.only(RequestColumn.KEY)).isEqualTo("a b");
  }

  @Test
  void aLogInColoursIsReadAsOneWithout() {
    String log =
        "\u001b[33m24/06/04 14:40:12\u001b[0m \u001b[1;32mDEBUG\u001b[0m MainClientExec: "
            + EXECUTING;
    Logs logs = Logs.of(log);
    assertThat(new ClientLogFormat(logs.facts).matches(head(log))).isTrue();
    assertThat(logs.only(RequestColumn.TS_START)).isEqualTo(AT_1440);
  }

  /** A log of the SDK's logger alone: an answer is that of the only request that waits. */
  @Test
  void withoutThreadsAnAnswerIsOfTheRequestThatWaits() {
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < 9; i++) {
      log.append(
          "24/06/04 14:40:%02d DEBUG request: Sending Request: PUT https://lake.s3.amazonaws.com /f%d Headers: (amz-sdk-invocation-id: %d, )%n"
              .formatted(i, i, i));
      log.append(
          i % 3 == 0
              ? "24/06/04 14:40:%02d DEBUG request: Received error response: X (Service: Amazon S3; Status Code: 503; Error Code: SlowDown; Request ID: R%d)%n"
                  .formatted(i, i)
              : "24/06/04 14:40:%02d DEBUG request: Received successful response: 200, AWS Request ID: R%d%n"
                  .formatted(i, i));
    }
    Logs logs = Logs.of(log.toString());
    assertThat(logs.rows).hasSize(9);
    for (int i = 0; i < 9; i++) {
      assertThat(logs.rows.get(i).get(RequestColumn.STATUS)).isEqualTo(i % 3 == 0 ? 503L : 200L);
    }
  }

  @Test
  void otherFilesAreNoSuchLogs() {
    ClientLogFormat format = new ClientLogFormat(new ClientFacts());

    assertThat(format.matches(head(""))).isFalse();
    assertThat(format.matches(head("79a5 lake [06/Feb/2019:00:00:38 +0000] 192.0.2.3 DEBUG x")))
        .isFalse();
    assertThat(format.matches(head("{\"Event\":\"SparkListenerLogStart\"}"))).isFalse();
    assertThat(format.matches(head("2024-06-04T14:40:12Z stdout F [INFO] 10.0.0.1:1 - 1 \"A\"")))
        .isFalse();
  }

  @Test
  void timesAreOfTheZoneThatIsGiven() throws IOException {
    byte[] log = ("24/06/04 14:40:12 DEBUG MainClientExec: " + EXECUTING).getBytes(UTF_8);
    ClientLogFormat format = new ClientLogFormat(ZoneId.of("Europe/Berlin"), new ClientFacts());
    RequestRow row = new RequestRow();
    try (RequestReader reader = format.open(new ByteArrayInputStream(log), new ParseStatistics())) {
      assertThat(reader.next(row)).isTrue();
    }

    assertThat(row.number(RequestColumn.TS_START)).isEqualTo(AT_1440 - 7_200_000_000L);
    assertThat(row.has(RequestColumn.TOTAL_US)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "GET /lake/?list-type=2&prefix=a, ListObjects",
    "GET /lake?uploads&prefix=a, ListMultipartUploads",
    "GET /lake/k?uploadId=U, ListParts",
    "GET /lake/k, GetObject",
    "GET /lake?location, REST.GET.LOCATION",
    "HEAD /lake, HeadBucket",
    "HEAD /lake/k, HeadObject",
    "POST /lake/k?uploads, CreateMultipartUpload",
    "POST /lake/k?uploadId=U, CompleteMultipartUpload",
    "POST /lake/?delete, DeleteObjects",
    "PUT /lake/k, PutObject",
    "PUT /lake/k?tagging, REST.PUT.TAGGING",
    "PUT /lake/k?partNumber=2&uploadId=U, UploadPart",
    "DELETE /lake/k?uploadId=U, AbortMultipartUpload",
    "DELETE /lake/k, DeleteObject",
  })
  void callsAreToldByVerbAndQuery(String line, String api) {
    assertThat(
            Logs.of(debug("MainClientExec", "Executing request " + line + " HTTP/1.1"))
                .only(RequestColumn.API))
        .isEqualTo(api);
  }

  @Test
  void aCopyIsToldByItsHeader() {
    String log =
        debug("MainClientExec", "Executing request PUT /lake/k HTTP/1.1")
            + debug("headers", "http-outgoing-0 >> PUT /lake/k HTTP/1.1")
            + debug("headers", "http-outgoing-0 >> x-amz-copy-source: /lake/j");

    assertThat(Logs.of(log).only(RequestColumn.API)).isEqualTo("CopyObject");
  }

  @Test
  void aHostMayNameTheBucket() {
    String log =
        debug(
                "MainClientExec",
                "Opening connection {s}->https://my.lake.s3.eu-west-1.amazonaws.com:443")
            + debug("MainClientExec", "Executing request PUT /day=1/k HTTP/1.1");

    assertThat(Logs.of(log).only(RequestColumn.BUCKET)).isEqualTo("my.lake");
    assertThat(Logs.of(log).only(RequestColumn.KEY)).isEqualTo("day=1/k");
  }

  @Test
  void callsOfOtherServicesAreCountedApart() {
    String log =
        debug("MainClientExec", "Executing request PUT /latest/api/token HTTP/1.1")
            + debug("MainClientExec", "Executing request POST / HTTP/1.1")
            + debug("headers", "http-outgoing-0 >> POST / HTTP/1.1")
            + debug("headers", "http-outgoing-0 >> Host: sts.us-east-1.amazonaws.com")
            + debug("MainClientExec", "Executing request GET /lake/k HTTP/1.1");

    Logs logs = Logs.of(log);

    assertThat(logs.all(RequestColumn.API)).containsExactly("GetObject");
    assertThat(logs.statistics.records()).isEqualTo(3);
    assertThat(logs.statistics.requests()).isEqualTo(1);
    assertThat(logs.statistics.skipped().get("a call of another service").count()).isEqualTo(2);
  }

  @Test
  void withoutTheHttpClientTheSdkSaysWhatIsAnAttempt() {
    String request =
        "PUT http://storage.example:9000 /lake/k Parameters: ({\"partNumber\":[\"3\"],"
            + "\"uploadId\":[\"U\"]}Headers: (amz-sdk-invocation-id: i-1, Content-Length: 5, ) ";
    String failure =
        "Received error response: com.amazonaws.services.s3.model.AmazonS3Exception: Reduce."
            + " (Service: Amazon S3; Status Code: 503; Error Code: SlowDown; Request ID: R;"
            + " S3 Extended Request ID: null; Proxy: null), S3 Extended Request ID: null";
    String log =
        debug("request", "Sending Request: GET http://storage.example:9000 /lake/j ")
            + debug("request", "Sending Request: " + request)
            + debug("request", failure)
            + "\tat com.amazonaws.http.AmazonHttpClient(AmazonHttpClient.java:1)\n"
            + debug("request", failure)
            + debug("request", "Retriable error detected, will retry in 451ms, attempt number: 0")
            + debug("request", "Retrying Request: " + request);

    Logs logs = Logs.of(log);

    assertThat(logs.all(RequestColumn.API))
        .containsExactly("GetObject", "UploadPart", "UploadPart");
    assertThat(logs.all(RequestColumn.THROTTLED)).containsExactly(0L, 1L, 0L);
    assertThat(logs.all(RequestColumn.PART_NO)).containsExactly(null, 3L, 3L);
    assertThat(logs.all(RequestColumn.INV_ID)).containsExactly(null, "i-1", "i-1");
  }

  @Test
  void sdk2SaysAFailureTwiceAndTheThreadSaysOfWhat() {
    String request =
        "Sending Request: DefaultSdkHttpFullRequest(httpMethod=%s, protocol=https,"
            + " host=lake.s3.amazonaws.com, encodedPath=/%s, headers=[Content-Length],"
            + " queryParameters=[%s])";
    String failure = "Received failed response: 503, Request ID: R, Extended Request ID: H";
    String log =
        thread("one", "request", request.formatted("PUT", "k", "partNumber, uploadId"))
            + thread("two", "request", request.formatted("POST", "j", "uploads"))
            + thread("one", "request", failure)
            + thread("one", "requestId", failure);

    Logs logs = Logs.of(log);

    assertThat(logs.all(RequestColumn.API)).containsExactly("UploadPart", "CreateMultipartUpload");
    assertThat(logs.all(RequestColumn.THROTTLED)).containsExactly(1L, 0L);
    assertThat(logs.all(RequestColumn.BUCKET)).containsOnly("lake");
    assertThat(logs.all(RequestColumn.KEY)).containsExactly("k", "j");
  }

  @Test
  void bodiesInTheLogAreNoRequests() {
    String log =
        debug("wire", "http-outgoing-0 >> \"PUT /lake/k HTTP/1.1[\\r][\\n]\"")
            + "24/06/04 14:40:12 INFO Job: Executing request PUT /lake/k HTTP/1.1\n"
            + "Executing request PUT /lake/k HTTP/1.1\n"
            + debug("ThriftServer", "Executing request GET /lake/k HTTP/1.1");

    assertThat(Logs.of(log).rows).isEmpty();
  }

  @Test
  void anUnreadableRequestIsCounted() {
    Logs logs = Logs.of(debug("MainClientExec", "Executing request nonsense"));

    assertThat(logs.rows).isEmpty();
    assertThat(logs.statistics.rejectedRecords()).isEqualTo(1);
    assertThat(logs.statistics.records()).isEqualTo(1);
  }

  @Test
  void thePathTellsWhoWroteIt() {
    assertThat(
            LogPlace.of(
                "logs/application_1717511234567_0042/container_e17_1717511234567_0042_01_000002/stderr"))
        .isEqualTo(
            new LogPlace(
                "application_1717511234567_0042", "container_e17_1717511234567_0042_01_000002"));
    assertThat(LogPlace.of("work/app-20240604144012-0003/7/stderr"))
        .isEqualTo(new LogPlace("app-20240604144012-0003", "7"));
    assertThat(LogPlace.of("pods/etl-8f1a2b3c4d5e6f70-exec-3.log"))
        .isEqualTo(new LogPlace("", "etl-8f1a2b3c4d5e6f70-exec-3"));
    assertThat(LogPlace.of("stderr")).isEqualTo(LogPlace.UNKNOWN);
  }

  @Test
  void aggregatedLogsNameEachContainer() {
    String log =
        "Container: container_1717511234567_0042_01_000001 on host_8041\n"
            + debug("MainClientExec", "Executing request GET /lake/k HTTP/1.1")
            + "Container: container_1717511234567_0042_01_000002 on host_8041\n"
            + debug("MainClientExec", "Executing request GET /lake/k HTTP/1.1");

    assertThat(Logs.of(log).all(RequestColumn.EXEC_ID))
        .containsExactly(
            "container_1717511234567_0042_01_000001", "container_1717511234567_0042_01_000002");
  }

  @Test
  void anApplicationMayRunOverMidnight() {
    String path = "container_1717511234567_0042_01_000001/stderr";
    String log =
        "24/06/04 23:59:50 INFO ApplicationMaster: ApplicationAttemptId:"
            + " appattempt_1717511234567_0042_000001\n"
            + "24/06/05 00:00:20 INFO ApplicationMaster: Final app status: SUCCEEDED, exitCode:"
            + " 0\n";

    assertThat(Logs.at(path, log).facts.applications().rows())
        .containsExactly(
            List.of(
                "application_1717511234567_0042",
                Instant.parse("2024-06-04T23:59:50Z"),
                Instant.parse("2024-06-05T00:00:20Z"),
                30_000.0,
                "SUCCEEDED",
                1L));
  }

  @Test
  void aLineWithoutAnEndDoesNotFillTheMemory() throws IOException {
    String before = debug("MainClientExec", "Executing request GET /lake/k HTTP/1.1");
    String huge = "24/06/04 14:40:12 DEBUG wire: " + "x".repeat(3 << 20) + "\n";
    Logs logs = Logs.of(before + huge + before);

    assertThat(logs.rows).hasSize(2);
    assertThat(logs.rows.get(1).get(RequestColumn.POSITION))
        .isEqualTo((long) before.length() + huge.length());
  }

  @Test
  void moreAttemptsThanAreKeptAreAllCounted() {
    String log =
        String.join(
            "",
            Collections.nCopies(
                20_000, debug("MainClientExec", "Executing request GET /lake/k HTTP/1.1")));

    assertThat(Logs.of(log).rows).hasSize(20_000);
  }

  private static final java.nio.charset.Charset UTF_8 = StandardCharsets.UTF_8;

  private static String debug(String logger, String message) {
    return "24/06/04 14:40:12.000 DEBUG " + logger + ": " + message + "\n";
  }

  private static String thread(String thread, String logger, String message) {
    return "2024-06-04 14:40:12,000 [" + thread + "] DEBUG " + logger + " - " + message + "\n";
  }

  private static Head head(String text) {
    return Head.of(text.getBytes(UTF_8));
  }
}
