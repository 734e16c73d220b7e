/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.time.Time;
import io.penstock.emulator.http.RawClient;
import io.penstock.emulator.weather.RequestCounts;
import io.penstock.emulator.weather.ThrottleRule;
import io.penstock.emulator.weather.Weather;
import io.penstock.s3model.Latency;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedS3Test {
  @TempDir Path directory;
  private EmbeddedS3 s3;
  private TestClient client;

  @BeforeEach
  void start() throws IOException {
    s3 =
        EmbeddedS3.builder()
            .bucket("lake")
            .readOnlyBucket("frozen")
            .accessLog(directory.resolve("access.log"))
            .start();
    client = new TestClient(s3.endpoint());
  }

  @AfterEach
  void stop() {
    s3.close();
  }

  private static void assertError(HttpResponse<String> answer, int status, String code) {
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.body()).contains("<Error><Code>" + code + "</Code>").contains("<RequestId>");
    assertThat(answer.headers().firstValue("x-amz-request-id")).isPresent();
  }

  @Test
  void anObjectIsWrittenReadAndDescribed() throws Exception {
    HttpResponse<String> put = client.send("PUT", "/lake/a%20b%2B%C3%BC", "hello");
    HttpResponse<String> get = client.send("GET", "/lake/a%20b%2B%C3%BC", "");
    HttpResponse<String> head = client.send("HEAD", "/lake/a%20b%2B%C3%BC", "");

    assertThat(put.headers().firstValue("ETag")).hasValue("\"5d41402abc4b2a76b9719d911017c592\"");
    assertThat(get.body()).isEqualTo("hello");
    assertThat(head.headers().firstValue("Content-Length")).hasValue("5");
    assertThat(head.headers().firstValue("Accept-Ranges")).hasValue("bytes");
    assertThat(head.headers().firstValue("ETag")).isEqualTo(put.headers().firstValue("ETag"));
    assertThat(s3.store("lake").head("a b+ü").sizeBytes()).isEqualTo(5);
    assertThat(s3.counts().requests())
        .isEqualTo(Map.of("PutObject", 1L, "GetObject", 1L, "HeadObject", 1L));
    assertThat(s3.counts().bytesIn()).isEqualTo(5);
    assertThat(s3.counts().bytesOut()).isEqualTo(5);
  }

  @Test
  void rangesAreBoundedOpenOrSuffixes() throws Exception {
    client.send("PUT", "/lake/k", "0123456789");
    Map<String, String> expected =
        Map.of("bytes=2-4", "234", "bytes=7-", "789", "bytes=-2", "89", "bytes=8-99", "89");
    for (Map.Entry<String, String> entry : expected.entrySet()) {
      HttpResponse<String> part = client.send("GET", "/lake/k", "", "Range", entry.getKey());
      assertThat(part.statusCode()).isEqualTo(206);
      assertThat(part.body()).isEqualTo(entry.getValue());
    }
    HttpResponse<String> outside = client.send("GET", "/lake/k", "", "Range", "bytes=10-");
    assertError(outside, 416, "InvalidRange");
    assertThat(outside.headers().firstValue("Content-Range")).hasValue("bytes */10");
    assertThat(client.send("GET", "/lake/k", "", "Range", "bytes=5-2").statusCode()).isEqualTo(200);
  }

  @Test
  void conditionsHoldOrAreNamed() throws Exception {
    String etag = client.send("PUT", "/lake/k", "1").headers().firstValue("ETag").orElseThrow();
    assertError(
        client.send("PUT", "/lake/k", "2", "If-None-Match", "*"), 412, "PreconditionFailed");
    assertError(client.send("PUT", "/lake/k", "2", "If-Match", "\"x\""), 412, "PreconditionFailed");
    assertError(client.send("PUT", "/lake/gone", "2", "If-Match", etag), 404, "NoSuchKey");
    assertThat(client.send("PUT", "/lake/k", "2", "If-Match", etag).statusCode()).isEqualTo(200);
    assertError(client.send("GET", "/lake/k", "", "If-Match", etag), 412, "PreconditionFailed");
    HttpResponse<String> unchanged = client.send("GET", "/lake/k", "", "If-None-Match", "*");
    assertThat(unchanged.statusCode()).isEqualTo(304);
  }

  @Test
  void aConditionThatWouldBeIgnoredIsRefused() throws Exception {
    client.send("PUT", "/lake/k", "1");
    assertError(
        client.send("PUT", "/lake/c", "", "x-amz-copy-source", "/lake/k", "If-None-Match", "*"),
        501,
        "NotImplemented");
    assertError(client.send("DELETE", "/lake/k", "", "If-Match", "\"x\""), 501, "NotImplemented");
    assertError(client.send("PUT", "/lake/c?renameObject", ""), 501, "NotImplemented");
  }

  @Test
  void whatIsMissingIsNamed() throws Exception {
    assertError(client.send("GET", "/lake/nope", ""), 404, "NoSuchKey");
    assertError(client.send("GET", "/nobucket/k", ""), 404, "NoSuchBucket");
    assertError(client.send("DELETE", "/lake/k?uploadId=u", ""), 404, "NoSuchUpload");
    assertError(client.send("PUT", "/lake/k?uploadId=u&partNumber=1", ""), 404, "NoSuchUpload");
    assertThat(client.send("HEAD", "/nobucket", "").statusCode()).isEqualTo(404);
  }

  @Test
  void badInputIsRefusedByItsName() throws Exception {
    assertError(client.send("PUT", "/frozen/k", "1"), 403, "AccessDenied");
    assertError(client.send("PUT", "/lake/" + "k".repeat(1025), "1"), 400, "KeyTooLongError");
    assertError(client.send("PUT", "/A_bucket", ""), 400, "InvalidBucketName");
    assertError(client.send("GET", "/lake?list-type=2&max-keys=x", ""), 400, "InvalidArgument");
    assertError(
        client.send("GET", "/lake?list-type=2&continuation-token=%21", ""), 400, "InvalidArgument");
    assertError(client.send("POST", "/lake?delete", "<Delete>"), 400, "MalformedXML");
    assertError(
        client.send("PUT", "/lake/k?uploadId=u&partNumber=10001", ""), 400, "InvalidArgument");
    assertError(client.send("GET", "/lake/k?tagging", ""), 501, "NotImplemented");
    try (RawClient raw = new RawClient(s3.endpoint().getPort())) {
      String request = "GET /lake/%zz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
      assertThat(raw.send(request).readAll()).contains("<Code>InvalidURI</Code>");
    }
  }

  @Test
  void aChecksumThatDoesNotFitIsABadDigestAndNothingIsStored() throws Exception {
    String[] wrong = {
      "Content-MD5", "1B2M2Y8AsgTpgAmY7PhCfg==",
      "x-amz-checksum-crc32", "AAAAAA==",
      "x-amz-checksum-crc32c", "AAAAAA==",
      "x-amz-checksum-sha1", "2jmj7l5rSw0yVb/vlWAYkK/YBwk=",
    };
    for (int i = 0; i < wrong.length; i += 2) {
      assertError(client.send("PUT", "/lake/k", "hello", wrong[i], wrong[i + 1]), 400, "BadDigest");
    }
    assertThat(client.send("HEAD", "/lake/k", "").statusCode()).isEqualTo(404);
    HttpResponse<String> good =
        client.send("PUT", "/lake/k", "hello", "x-amz-checksum-crc32", "NhCmhg==");
    assertThat(good.headers().firstValue("x-amz-checksum-crc32")).hasValue("NhCmhg==");
  }

  @Test
  void aStreamedBodyIsDecodedAndItsTrailerChecked() throws Exception {
    String[] headers = {
      "x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
      "x-amz-decoded-content-length", "5",
      "x-amz-trailer", "x-amz-checksum-crc32",
    };
    String good = "5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n";
    assertThat(client.send("PUT", "/lake/k", good, headers).statusCode()).isEqualTo(200);
    assertThat(client.send("GET", "/lake/k", "").body()).isEqualTo("hello");
    assertError(
        client.send("PUT", "/lake/k", good.replace("hello", "jello"), headers), 400, "BadDigest");
    headers[3] = "6";
    assertError(client.send("PUT", "/lake/k", good, headers), 400, "IncompleteBody");
  }

  @Test
  void listingsEscapeOrEncodeKeysAndPageInBothVersions() throws Exception {
    for (String key : List.of("a&<b", "c d", "e/1", "e/2", "f\u0001")) {
      s3.store("lake").put(key, Body.empty(), Condition.NONE);
    }
    String plain = client.send("GET", "/lake?list-type=2", "").body();
    assertThat(plain).contains("<Key>a&amp;&lt;b</Key>").contains("<Key>f&#x1;</Key>");
    String encoded = client.send("GET", "/lake?list-type=2&encoding-type=url", "").body();
    assertThat(encoded).contains("<Key>a%26%3Cb</Key>").contains("<Key>c%20d</Key>");
    String level = client.send("GET", "/lake?delimiter=/&max-keys=3", "").body();
    assertThat(level)
        .contains("<Prefix>e/</Prefix>")
        .contains("<NextMarker>e/</NextMarker>")
        .contains("<IsTruncated>true</IsTruncated>");
    String rest = client.send("GET", "/lake?delimiter=/&max-keys=3&marker=e/", "").body();
    assertThat(rest).contains("<Key>f").doesNotContain("<CommonPrefixes>");
    String none = client.send("GET", "/lake?list-type=2&max-keys=0", "").body();
    assertThat(none).contains("<KeyCount>0<").contains("<IsTruncated>false<");
  }

  @Test
  void bucketsAreMadeListedLocatedAndDeleted() throws Exception {
    assertThat(client.send("PUT", "/other", "").statusCode()).isEqualTo(200);
    assertThat(client.send("GET", "/", "").body())
        .contains("<Name>lake</Name>")
        .contains("<Name>other</Name>");
    assertThat(client.send("GET", "/other?location", "").body()).contains("LocationConstraint");
    assertThat(client.send("DELETE", "/other", "").statusCode()).isEqualTo(204);
    client.send("PUT", "/lake/k", "");
    assertError(client.send("DELETE", "/lake", ""), 409, "BucketNotEmpty");
  }

  @Test
  void theHostMayNameTheBucket() throws Exception {
    client.send("PUT", "/lake/k", "hello");
    try (RawClient raw = new RawClient(s3.endpoint().getPort())) {
      raw.send("GET /k HTTP/1.1\r\nHost: lake.localhost:80\r\nConnection: close\r\n\r\n");
      assertThat(raw.readAll()).endsWith("\r\n\r\nhello");
    }
  }

  @Test
  void aKeyIsNeverAFileName() throws Exception {
    try (EmbeddedS3 disk =
        EmbeddedS3.builder().bucket("lake").directory(directory.resolve("kept")).start()) {
      TestClient toDisk = new TestClient(disk.endpoint());
      assertThat(toDisk.send("PUT", "/lake/..%2F..%2Fescaped", "x").statusCode()).isEqualTo(200);
      assertThat(toDisk.send("GET", "/lake/..%2F..%2Fescaped", "").body()).isEqualTo("x");
    }
    assertThat(directory.resolve("escaped")).doesNotExist();
    try (EmbeddedS3 again = EmbeddedS3.builder().directory(directory.resolve("kept")).start()) {
      assertThat(again.store("lake").head("../../escaped").sizeBytes()).isEqualTo(1);
    }
  }

  // ---- weather

  @Test
  void aResetAfterActingLosesTheAnswerButNotTheWrite() throws Exception {
    s3.weather(Weather.CALM.withFaults("PutObject#2=reset-after,PutObject#3=reset-before"));
    client.send("PUT", "/lake/1", "x");
    assertThatThrownBy(() -> client.send("PUT", "/lake/2", "x")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> client.send("PUT", "/lake/3", "x")).isInstanceOf(IOException.class);
    assertThat(s3.store("lake").list(ListRequest.flat("")).objects())
        .extracting(object -> object.key())
        .containsExactly("1", "2");
    assertThat(s3.counts().withStatus(0)).isEqualTo(s3.counts().of("PutObject") - 1);
  }

  @Test
  void anErrorBeforeActingWritesNothingAndOneAfterDoes() throws Exception {
    s3.weather(Weather.CALM.withFaults("PutObject#1=500,PutObject#2=500-after,PutObject#3=409"));
    assertError(client.send("PUT", "/lake/1", "x"), 500, "InternalError");
    assertError(client.send("PUT", "/lake/2", "x"), 500, "InternalError");
    assertError(client.send("PUT", "/lake/3", "x"), 409, "ConditionalRequestConflict");
    assertThat(s3.store("lake").list(ListRequest.flat("")).objects())
        .extracting(object -> object.key())
        .containsExactly("2");
    assertThat(s3.counts().lines().get("PutObject").ofClass(5)).isEqualTo(2);
  }

  @Test
  void aTruncatedReadEndsEarly() throws Exception {
    client.send("PUT", "/lake/k", "0123456789");
    s3.weather(Weather.CALM.withFaults("GetObject#1=truncate"));
    try (RawClient raw = new RawClient(s3.endpoint().getPort())) {
      raw.send("GET /lake/k HTTP/1.1\r\nHost: h\r\n\r\n");
      assertThat(raw.readAll()).contains("Content-Length: 10\r\n").endsWith("\r\n\r\n01234");
    }
    assertThat(client.send("GET", "/lake/k", "").body()).isEqualTo("0123456789");
  }

  @Test
  void aBusyPartitionSaysSlowDownAndTheOthersDoNot() throws Exception {
    s3.weather(
        Weather.CALM.withThrottle(
            new ThrottleRule(
                1,
                List.of(),
                0.001,
                1_000,
                3_000,
                0,
                ThrottleRule.Growth.NONE))); // three writes, then none
    for (int i = 0; i < 3; i++) {
      assertThat(client.send("PUT", "/lake/hot/" + i, "x").statusCode()).isEqualTo(200);
    }
    assertError(client.send("PUT", "/lake/hot/3", "x"), 503, "SlowDown");
    assertThat(client.send("PUT", "/lake/cold/3", "x").statusCode()).isEqualTo(200);
    assertThat(client.send("GET", "/lake/hot/0", "").statusCode()).isEqualTo(200);
    assertThat(s3.counts().withStatus(503)).isEqualTo(1);
  }

  @Test
  void slowWeatherStillAnswersRight() throws Exception {
    s3.weather(
        Weather.CALM
            .withLatency(Latency.constant(Duration.ofMillis(5)))
            .withBandwidth(10_000_000)
            .withFaults("GetObject#1=stall:10ms"));
    TestClient fresh = new TestClient(s3.endpoint());
    fresh.send("PUT", "/lake/k", "hello");
    assertThat(fresh.send("GET", "/lake/k", "").body()).isEqualTo("hello");
  }

  /** Long waits end when the test says so. */
  private static final class HeldTime implements Time {
    private final CountDownLatch waits = new CountDownLatch(1);
    private final CountDownLatch goes = new CountDownLatch(1);

    @Override
    public long nowNanos() {
      return 0;
    }

    @Override
    public Instant now() {
      return Instant.EPOCH;
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      if (duration.toSeconds() > 0) {
        waits.countDown();
        goes.await();
      }
    }
  }

  private static RequestCounts.Snapshot afterAClientLeft(Weather weather) throws Exception {
    HeldTime time = new HeldTime();
    try (EmbeddedS3 held =
        EmbeddedS3.builder()
            .bucket("lake")
            .time(time)
            .weather(weather.withFaults("PutObject#1=stall:9s"))
            .start()) {
      try (RawClient raw = new RawClient(held.endpoint().getPort())) {
        raw.send("PUT /lake/k HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx");
        time.waits.await();
      }
      time.goes.countDown();
      while (held.counts().total() == 0) {
        Thread.onSpinWait();
      }
      return held.counts();
    }
  }

  @Test
  @Timeout(30)
  void aRequestWhoseClientLeftWhileItWaitedIsNotCarriedOutUnlessAsked() throws Exception {
    assertThat(afterAClientLeft(Weather.CALM).withStatus(0)).isEqualTo(1);
    assertThat(afterAClientLeft(Weather.CALM.actingForTheGone()).withStatus(200)).isEqualTo(1);
  }

  @Test
  void aRequestThatWaitedIsCarriedOutWithItsBody() throws Exception {
    HeldTime time = new HeldTime();
    time.goes.countDown();
    try (EmbeddedS3 held =
            EmbeddedS3.builder()
                .bucket("lake")
                .time(time)
                .weather(Weather.CALM.withFaults("PutObject#1=stall:9s"))
                .start();
        RawClient raw = new RawClient(held.endpoint().getPort())) {
      raw.send("PUT /lake/k HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello");
      assertThat(raw.readUntil("\r\n\r\n")).contains(" 200 ");
      raw.send("GET /lake/k HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
      assertThat(raw.readAll()).endsWith("hello");
    }
  }

  @Test
  @Timeout(30)
  void oneOfSeveralAddressesCanBeSlow() throws Exception {
    HeldTime time = new HeldTime();
    try (EmbeddedS3 many =
        EmbeddedS3.builder()
            .host("127.0.0.1", "127.0.0.2")
            .bucket("lake")
            .time(time)
            .weather(Weather.CALM.withSlowAddresses(Map.of("127.0.0.2", Duration.ofSeconds(2))))
            .start()) {
      assertThat(many.endpoint()).hasHost("127.0.0.1");
      TestClient fast = new TestClient(many.endpoint());
      TestClient slow = new TestClient(URI.create("http://127.0.0.2:" + many.endpoint().getPort()));
      CompletableFuture<Integer> late =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return slow.send("GET", "/lake/k", "").statusCode();
                } catch (IOException | InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      time.waits.await();
      assertThat(fast.send("GET", "/lake/k", "").statusCode()).isEqualTo(404);
      assertThat(late).isNotDone();
      time.goes.countDown();
      assertThat(late.get()).isEqualTo(404);
    }
  }

  @Test
  void anOperationCanHaveALawOfItsOwn() throws Exception {
    HeldTime time = new HeldTime();
    time.goes.countDown();
    try (EmbeddedS3 held =
        EmbeddedS3.builder()
            .bucket("lake")
            .time(time)
            .weather(Weather.CALM.withLatencies(Latency.parseAll(Map.of("GetObject", "3s"))))
            .start()) {
      TestClient each = new TestClient(held.endpoint());
      each.send("PUT", "/lake/k", "x");
      assertThat(time.waits.getCount()).isEqualTo(1);
      each.send("GET", "/lake/k", "");
      assertThat(time.waits.getCount()).isZero();
    }
  }

  @Test
  void aBulkDeleteIsThrottledByItsKeys() throws Exception {
    s3.weather(Weather.CALM.withThrottle(ThrottleRule.ofS3().rates(4, 1_000).burst(1)));
    String keys = "<Object><Key>a</Key></Object>".repeat(900);
    assertThat(client.send("POST", "/lake?delete", "<Delete>" + keys + "</Delete>").statusCode())
        .isEqualTo(200);
    assertError(client.send("PUT", "/lake/k", "x"), 503, "SlowDown");
  }

  @Test
  void everyRequestIsALineOfTheAccessLog() throws Exception {
    client.send("PUT", "/lake/a%20b", "hello");
    client.send("GET", "/lake/nope", "");
    s3.weather(Weather.CALM.withFaults("GetObject#1=503"));
    client.send("GET", "/lake/a%20b", "");

    // A line is written before its answer leaves.
    List<String> lines = Files.readAllLines(directory.resolve("access.log"));
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0))
        .contains(" REST.PUT.OBJECT a%20b \"PUT /lake/a%20b HTTP/1.1\" 200 - - 5 ");
    assertThat(lines.get(1)).contains(" REST.GET.OBJECT nope ").contains("\" 404 NoSuchKey ");
    assertThat(lines.get(2)).contains("\" 503 SlowDown ");
  }

  @Test
  void aRequestThatItsClientGivesUpIsCountedAndLogged() throws Exception {
    try (RawClient raw = new RawClient(s3.endpoint().getPort())) {
      raw.send("PUT /lake/k HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf").hangUp();
      raw.readAll();
    }
    assertThat(s3.counts().of("PutObject")).isEqualTo(1);
    assertThat(Files.readAllLines(directory.resolve("access.log")))
        .singleElement()
        .asString()
        .contains(" REST.PUT.OBJECT k \"PUT /lake/k HTTP/1.1\" ");
  }

  @Test
  void countsStartAnewWhenAsked() throws Exception {
    client.send("PUT", "/lake/k", "hello");
    s3.resetCounts();
    assertThat(s3.counts().total()).isZero();
    assertThat(Optional.of(s3.counts().of("PutObject"))).hasValue(0L);
  }
}
