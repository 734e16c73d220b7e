/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import static io.penstock.emulator.s3.Lake.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.emulator.http.RawClient;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests to the embedded server, and its answers in calm weather. */
class EmbeddedS3Test {
  @TempDir Path directory;
  @AutoClose private Lake lake;

  @BeforeEach
  void start() throws IOException {
    lake = Lake.in(directory);
  }

  @Test
  void anObjectIsWrittenReadAndDescribed() throws Exception {
    HttpResponse<String> put = lake.client.send("PUT", "/lake/a%20b%2B%C3%BC", "hello");
    HttpResponse<String> get = lake.client.send("GET", "/lake/a%20b%2B%C3%BC", "");
    HttpResponse<String> head = lake.client.send("HEAD", "/lake/a%20b%2B%C3%BC", "");

    assertThat(put.headers().firstValue("ETag")).hasValue("\"5d41402abc4b2a76b9719d911017c592\"");
    assertThat(get.body()).isEqualTo("hello");
    assertThat(head.headers().firstValue("Content-Length")).hasValue("5");
    assertThat(head.headers().firstValue("Accept-Ranges")).hasValue("bytes");
    assertThat(head.headers().firstValue("ETag")).isEqualTo(put.headers().firstValue("ETag"));
    assertThat(lake.s3.store("lake").head("a b+ü").sizeBytes()).isEqualTo(5);
    assertThat(lake.s3.counts().requests())
        .isEqualTo(Map.of("PutObject", 1L, "GetObject", 1L, "HeadObject", 1L));
    assertThat(lake.s3.counts().bytesIn()).isEqualTo(5);
    assertThat(lake.s3.counts().bytesOut()).isEqualTo(5);
  }

  @Test
  void rangesAreBoundedOpenOrSuffixes() throws Exception {
    lake.client.send("PUT", "/lake/k", "0123456789");
    Map<String, String> expected =
        Map.of("bytes=2-4", "234", "bytes=7-", "789", "bytes=-2", "89", "bytes=8-99", "89");
    for (Map.Entry<String, String> entry : expected.entrySet()) {
      HttpResponse<String> part = lake.client.send("GET", "/lake/k", "", "Range", entry.getKey());
      assertThat(part.statusCode()).isEqualTo(206);
      assertThat(part.body()).isEqualTo(entry.getValue());
    }
    HttpResponse<String> outside = lake.client.send("GET", "/lake/k", "", "Range", "bytes=10-");
    assertError(outside, 416, "InvalidRange");
    assertThat(outside.headers().firstValue("Content-Range")).hasValue("bytes */10");
    assertThat(lake.client.send("GET", "/lake/k", "", "Range", "bytes=5-2").statusCode())
        .isEqualTo(200);
  }

  @Test
  void conditionsHoldOrAreNamed() throws Exception {
    String etag =
        lake.client.send("PUT", "/lake/k", "1").headers().firstValue("ETag").orElseThrow();
    assertError(
        lake.client.send("PUT", "/lake/k", "2", "If-None-Match", "*"), 412, "PreconditionFailed");
    assertError(
        lake.client.send("PUT", "/lake/k", "2", "If-Match", "\"x\""), 412, "PreconditionFailed");
    assertError(lake.client.send("PUT", "/lake/gone", "2", "If-Match", etag), 404, "NoSuchKey");
    assertThat(lake.client.send("PUT", "/lake/k", "2", "If-Match", etag).statusCode())
        .isEqualTo(200);
    assertError(
        lake.client.send("GET", "/lake/k", "", "If-Match", etag), 412, "PreconditionFailed");
    HttpResponse<String> unchanged = lake.client.send("GET", "/lake/k", "", "If-None-Match", "*");
    assertThat(unchanged.statusCode()).isEqualTo(304);
  }

  @Test
  void aDeletionUnderAConditionIsAsOnAmazon() throws Exception {
    String etag =
        lake.client.send("PUT", "/lake/k", "1").headers().firstValue("ETag").orElseThrow();
    assertError(
        lake.client.send("DELETE", "/lake/k", "", "If-Match", "\"x\""), 412, "PreconditionFailed");
    assertThat(lake.client.send("DELETE", "/lake/k", "", "If-Match", etag).statusCode())
        .isEqualTo(204);
    assertThat(lake.client.send("DELETE", "/lake/k", "", "If-Match", etag).statusCode())
        .isEqualTo(204);
  }

  @Test
  void aCopyUnderAConditionIsAsOnAmazon() throws Exception {
    lake.client.send("PUT", "/lake/k", "1");
    assertThat(copy("/lake/c", "If-None-Match", "*").statusCode()).isEqualTo(200);
    assertError(copy("/lake/c", "If-None-Match", "*"), 412, "PreconditionFailed");
    assertError(copy("/lake/c", "If-Match", "\"x\""), 412, "PreconditionFailed");
    assertError(copy("/lake/gone", "If-Match", "\"x\""), 404, "NoSuchKey");
    String etag =
        lake.client.send("HEAD", "/lake/c", "").headers().firstValue("ETag").orElseThrow();
    assertThat(copy("/lake/c", "If-Match", etag).statusCode()).isEqualTo(200);
  }

  private HttpResponse<String> copy(String target, String header, String value) throws Exception {
    return lake.client.send("PUT", target, "", "x-amz-copy-source", "/lake/k", header, value);
  }

  @Test
  void aBulkDeleteComparesTheEtagOfEachKey() throws Exception {
    String etag =
        lake.client.send("PUT", "/lake/a", "1").headers().firstValue("ETag").orElseThrow();
    lake.client.send("PUT", "/lake/b", "2");
    lake.client.send("PUT", "/lake/c", "3");
    String object = "<Object><Key>%s</Key><ETag>%s</ETag></Object>";
    String asked =
        "<Delete>%s%s%s</Delete>"
            .formatted(
                object.formatted("a", etag.replace("\"", "&quot;")),
                object.formatted("b", etag),
                object.formatted("c", "*"));
    assertThat(lake.client.send("POST", "/lake?delete", asked).body())
        .contains("<Deleted><Key>a</Key></Deleted>")
        .contains("<Error><Key>b</Key><Code>PreconditionFailed</Code>")
        .contains("<Deleted><Key>c</Key></Deleted>");
  }

  @Test
  void aConditionThatWouldBeIgnoredIsRefused() throws Exception {
    lake.client.send("PUT", "/lake/k", "1");
    assertError(
        lake.client.send("DELETE", "/lake/k", "", "If-None-Match", "*"), 501, "NotImplemented");
    assertError(lake.client.send("PUT", "/lake/c?renameObject", ""), 501, "NotImplemented");
  }

  @Test
  void whatIsMissingIsNamed() throws Exception {
    assertError(lake.client.send("GET", "/lake/nope", ""), 404, "NoSuchKey");
    assertError(lake.client.send("GET", "/nobucket/k", ""), 404, "NoSuchBucket");
    assertError(lake.client.send("DELETE", "/lake/k?uploadId=u", ""), 404, "NoSuchUpload");
    assertError(
        lake.client.send("PUT", "/lake/k?uploadId=u&partNumber=1", ""), 404, "NoSuchUpload");
    assertThat(lake.client.send("HEAD", "/nobucket", "").statusCode()).isEqualTo(404);
  }

  @Test
  void badInputIsRefusedByItsName() throws Exception {
    assertError(lake.client.send("PUT", "/frozen/k", "1"), 403, "AccessDenied");
    assertError(lake.client.send("PUT", "/lake/" + "k".repeat(1025), "1"), 400, "KeyTooLongError");
    assertError(lake.client.send("PUT", "/A_bucket", ""), 400, "InvalidBucketName");
    assertError(
        lake.client.send("GET", "/lake?list-type=2&max-keys=x", ""), 400, "InvalidArgument");
    assertError(
        lake.client.send("GET", "/lake?list-type=2&continuation-token=%21", ""),
        400,
        "InvalidArgument");
    assertError(lake.client.send("POST", "/lake?delete", "<Delete>"), 400, "MalformedXML");
    assertError(
        lake.client.send("PUT", "/lake/k?uploadId=u&partNumber=10001", ""), 400, "InvalidArgument");
    assertError(lake.client.send("GET", "/lake/k?tagging", ""), 501, "NotImplemented");
    try (RawClient raw = new RawClient(lake.s3.endpoint().getPort())) {
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
      assertError(
          lake.client.send("PUT", "/lake/k", "hello", wrong[i], wrong[i + 1]), 400, "BadDigest");
    }
    assertThat(lake.client.send("HEAD", "/lake/k", "").statusCode()).isEqualTo(404);
    HttpResponse<String> good =
        lake.client.send("PUT", "/lake/k", "hello", "x-amz-checksum-crc32", "NhCmhg==");
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
    assertThat(lake.client.send("PUT", "/lake/k", good, headers).statusCode()).isEqualTo(200);
    assertThat(lake.client.send("GET", "/lake/k", "").body()).isEqualTo("hello");
    assertError(
        lake.client.send("PUT", "/lake/k", good.replace("hello", "jello"), headers),
        400,
        "BadDigest");
    headers[3] = "6";
    assertError(lake.client.send("PUT", "/lake/k", good, headers), 400, "IncompleteBody");
  }

  @Test
  void listingsEscapeOrEncodeKeysAndPageInBothVersions() throws Exception {
    for (String key : List.of("a&<b", "c d", "e/1", "e/2", "f\u0001")) {
      lake.s3.store("lake").put(key, Body.empty(), Condition.NONE);
    }
    String plain = lake.client.send("GET", "/lake?list-type=2", "").body();
    assertThat(plain).contains("<Key>a&amp;&lt;b</Key>").contains("<Key>f&#x1;</Key>");
    String encoded = lake.client.send("GET", "/lake?list-type=2&encoding-type=url", "").body();
    assertThat(encoded).contains("<Key>a%26%3Cb</Key>").contains("<Key>c%20d</Key>");
    String level = lake.client.send("GET", "/lake?delimiter=/&max-keys=3", "").body();
    assertThat(level)
        .contains("<Prefix>e/</Prefix>")
        .contains("<NextMarker>e/</NextMarker>")
        .contains("<IsTruncated>true</IsTruncated>");
    String rest = lake.client.send("GET", "/lake?delimiter=/&max-keys=3&marker=e/", "").body();
    assertThat(rest).contains("<Key>f").doesNotContain("<CommonPrefixes>");
    String none = lake.client.send("GET", "/lake?list-type=2&max-keys=0", "").body();
    assertThat(none).contains("<KeyCount>0<").contains("<IsTruncated>false<");
  }

  @Test
  void bucketsAreMadeListedLocatedAndDeleted() throws Exception {
    assertThat(lake.client.send("PUT", "/other", "").statusCode()).isEqualTo(200);
    assertThat(lake.client.send("GET", "/", "").body())
        .contains("<Name>lake</Name>")
        .contains("<Name>other</Name>");
    assertThat(lake.client.send("GET", "/other?location", "").body())
        .contains("LocationConstraint");
    assertThat(lake.client.send("DELETE", "/other", "").statusCode()).isEqualTo(204);
    lake.client.send("PUT", "/lake/k", "");
    assertError(lake.client.send("DELETE", "/lake", ""), 409, "BucketNotEmpty");
  }

  @Test
  void theHostMayNameTheBucket() throws Exception {
    lake.client.send("PUT", "/lake/k", "hello");
    try (RawClient raw = new RawClient(lake.s3.endpoint().getPort())) {
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
}
