/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.emulator.http.Headers;
import io.penstock.s3model.S3Operation;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class S3CallTest {
  @ParameterizedTest
  @CsvSource({
    "GET, /, ListBuckets, REST.GET.SERVICE",
    "PUT, /b, CreateBucket, REST.PUT.BUCKET",
    "HEAD, /b, HeadBucket, REST.HEAD.BUCKET",
    "HEAD, /b/, HeadBucket, REST.HEAD.BUCKET",
    "DELETE, /b, DeleteBucket, REST.DELETE.BUCKET",
    "GET, /b?location, GetBucketLocation, REST.GET.LOCATION",
    "GET, /b, ListObjects, REST.GET.BUCKET",
    "GET, /b?list-type=2&prefix=x, ListObjectsV2, REST.GET.BUCKET",
    "GET, /b?uploads, ListMultipartUploads, REST.GET.UPLOADS",
    "POST, /b?delete, DeleteObjects, REST.POST.MULTI_OBJECT_DELETE",
    "GET, /b/k, GetObject, REST.GET.OBJECT",
    "GET, /b/k?x-id=GetObject, GetObject, REST.GET.OBJECT",
    "HEAD, /b/k, HeadObject, REST.HEAD.OBJECT",
    "PUT, /b/k, PutObject, REST.PUT.OBJECT",
    "DELETE, /b/k, DeleteObject, REST.DELETE.OBJECT",
    "POST, /b/k?uploads, CreateMultipartUpload, REST.POST.UPLOADS",
    "PUT, /b/k?partNumber=1&uploadId=u, UploadPart, REST.PUT.PART",
    "POST, /b/k?uploadId=u, CompleteMultipartUpload, REST.POST.UPLOAD",
    "DELETE, /b/k?uploadId=u, AbortMultipartUpload, REST.DELETE.UPLOAD",
    "GET, /b/k?uploadId=u, ListParts, REST.GET.UPLOAD",
    "GET, /b/k?tagging, Other, REST.OTHER.OTHER",
    "GET, /b?versioning, GetBucketVersioning, REST.GET.VERSIONING",
    "PUT, /b?versioning, PutBucketVersioning, REST.PUT.VERSIONING",
    "GET, /b?versions, ListObjectVersions, REST.GET.BUCKETVERSIONS",
    "PUT, /b/k?renameObject, Other, REST.OTHER.OTHER",
    "PATCH, /b/k, Other, REST.OTHER.OTHER",
  })
  void aRequestIsTheOperationS3TakesItFor(
      String method, String target, String apiName, String logName) {
    S3Call call = S3Call.of(method, target, new Headers(), Addressing.PATH_STYLE);
    assertThat(call.operation().apiName()).isEqualTo(apiName);
    assertThat(call.operation().logName()).isEqualTo(logName);
  }

  @Test
  void aCopySourceMakesItACopy() {
    Headers headers = new Headers().add("x-amz-copy-source", "/b/k");
    assertThat(S3Call.of("PUT", "/b/k", headers, Addressing.PATH_STYLE).operation())
        .isEqualTo(S3Operation.COPY_OBJECT);
    assertThat(
            S3Call.of("PUT", "/b/k?partNumber=1&uploadId=u", headers, Addressing.PATH_STYLE)
                .operation())
        .isEqualTo(S3Operation.UPLOAD_PART_COPY);
  }

  @Test
  void theKeyIsDecodedOnceAndItsPlusIsAPlus() {
    S3Call call =
        S3Call.of(
            "GET", "/b/a+b%20c%252F/%C3%BC//x?prefix=p%2B+q", new Headers(), Addressing.PATH_STYLE);
    assertThat(call.bucket()).isEqualTo("b");
    assertThat(call.key()).isEqualTo("a+b c%2F/ü//x");
    assertThat(call.query().get("prefix")).isEqualTo("p+ q");
  }

  @Test
  void theHostNamesTheBucketBeforeADomainWeKnow() {
    Addressing addressing = new Addressing(List.of("localhost", "s3.test"));
    Headers host = new Headers().add("Host", "my.lake.s3.test:9000");
    S3Call call = S3Call.of("GET", "/a/b", host, addressing);
    assertThat(call.bucket()).isEqualTo("my.lake");
    assertThat(call.key()).isEqualTo("a/b");
    for (String plain : List.of("localhost:9000", "127.0.0.1:9000", "other.test", "[::1]:9000")) {
      S3Call path = S3Call.of("GET", "/a/b", new Headers().add("Host", plain), addressing);
      assertThat(path.bucket()).as(plain).isEqualTo("a");
    }
  }

  @Test
  void aStarTakesAnyDomainButNoAddress() {
    Addressing addressing = new Addressing(List.of("*"));
    Headers host = new Headers().add("Host", "lake.s3.eu-west-1.amazonaws.com");
    assertThat(S3Call.of("GET", "/k", host, addressing).bucket()).isEqualTo("lake");
    Headers address = new Headers().add("Host", "127.0.0.1:9000");
    assertThat(S3Call.of("GET", "/b/k", address, addressing).bucket()).isEqualTo("b");
  }

  @ParameterizedTest
  @CsvSource({"/b/%", "/b/%4", "/b/%zz", "/b/%ff%fe", "/b?x=%"})
  void aMalformedEscapeIsNoCallButNoCrashEither(String target) {
    S3Call call = S3Call.of("GET", target, new Headers(), Addressing.PATH_STYLE);
    assertThat(call.isValid()).isFalse();
    assertThat(call.operation()).isEqualTo(S3Operation.OTHER);
  }
}
