/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Operation;
import io.penstock.core.store.SuffixRange;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

class HttpFactsTest {
  private static SdkHttpRequest request(String method, String uri, Map<String, String> headers) {
    SdkHttpFullRequest.Builder builder =
        SdkHttpFullRequest.builder().method(SdkHttpMethod.fromValue(method)).uri(URI.create(uri));
    headers.forEach(builder::putHeader);
    return builder.build();
  }

  private static HttpFacts facts(String method, String uri, Map<String, String> headers) {
    return HttpFacts.of(request(method, uri, headers), Optional.empty()).orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "GET, http://h:9000/lake/a/b.txt, GET, a/b.txt",
    "HEAD, http://h:9000/lake/a%20b+c%C3%A4, HEAD, a b+cä",
    "PUT, http://h:9000/lake/a, PUT, a",
    "PUT, http://h:9000/lake/a?partNumber=1&uploadId=u, UPLOAD_PART, a",
    "POST, http://h:9000/lake/a?uploads, CREATE_UPLOAD, a",
    "POST, http://h:9000/lake/a?uploadId=u, COMPLETE_UPLOAD, a",
    "DELETE, http://h:9000/lake/a?uploadId=u, ABORT_UPLOAD, a",
    "DELETE, http://h:9000/lake/a?versionId=1, DELETE, a",
    "GET, http://h:9000/lake/a?uploadId=u, LIST_PARTS, a",
    "GET, http://h:9000/lake?list-type=2&prefix=x%2Fy, LIST, x/y",
    "GET, http://h:9000/lake?uploads, LIST_UPLOADS, ''",
    "POST, http://h:9000/lake?delete, DELETE_ALL, ''"
  })
  void theOperationAndTheKeyAreKnown(String method, String uri, Operation operation, String key) {
    HttpFacts facts = facts(method, uri, Map.of());
    assertThat(facts.operation()).isEqualTo(operation);
    assertThat(facts.bucket()).isEqualTo("lake");
    assertThat(facts.key()).isEqualTo(key);
    assertThat(facts.endpoint()).isEqualTo("http://h:9000");
  }

  @ParameterizedTest
  @CsvSource({
    "https://lake.s3.eu-west-1.amazonaws.com/k, lake, https://s3.eu-west-1.amazonaws.com",
    "https://my.lake.s3.amazonaws.com/k, my.lake, https://s3.amazonaws.com",
    "https://lake.s3.dualstack.us-east-1.amazonaws.com/k, lake,"
        + " https://s3.dualstack.us-east-1.amazonaws.com",
    "https://lake.s3-accelerate.amazonaws.com/k, lake, https://s3-accelerate.amazonaws.com",
    "https://lake.s3.cn-north-1.amazonaws.com.cn/k, lake, https://s3.cn-north-1.amazonaws.com.cn",
    "https://bucket.vpce-1a2b.s3.us-east-1.vpce.amazonaws.com/lake/k, lake,"
        + " https://bucket.vpce-1a2b.s3.us-east-1.vpce.amazonaws.com",
    "https://lake.bucket.vpce-1a2b.s3.us-east-1.vpce.amazonaws.com/k, lake,"
        + " https://bucket.vpce-1a2b.s3.us-east-1.vpce.amazonaws.com",
    "https://s3.eu-west-1.amazonaws.com/lake/k, lake, https://s3.eu-west-1.amazonaws.com"
  })
  void theBucketIsInTheHostOrInThePath(String uri, String bucket, String endpoint) {
    HttpFacts facts = facts("GET", uri, Map.of());
    assertThat(facts.bucket()).isEqualTo(bucket);
    assertThat(facts.key()).isEqualTo("k");
    assertThat(facts.endpoint()).isEqualTo(endpoint);
    assertThat(facts.isOnAws()).isTrue();
  }

  @Test
  void theBucketMayBeInTheHostOfAnotherStoreIfItIsKnown() {
    SdkHttpRequest request = request("GET", "http://lake.minio:9000/a/b", Map.of());
    HttpFacts facts = HttpFacts.of(request, Optional.of("lake")).orElseThrow();
    assertThat(facts.bucket()).isEqualTo("lake");
    assertThat(facts.key()).isEqualTo("a/b");
    assertThat(facts.endpoint()).isEqualTo("http://minio:9000");
    assertThat(HttpFacts.of(request, Optional.of("pond")).orElseThrow().bucket()).isEqualTo("a");
  }

  @ParameterizedTest
  @CsvSource({
    "GET, http://h/lake/a?acl",
    "PUT, http://h/lake/a?tagging",
    "GET, http://h/lake?policy",
    "GET, http://h/",
    "PUT, http://h/lake",
    "HEAD, http://h/lake",
    "POST, http://h/lake/a?select&select-type=2",
    "POST, http://sts.amazonaws.com/"
  })
  void whatIsNoRequestForObjectsIsLeftAlone(String method, String uri) {
    assertThat(HttpFacts.of(request(method, uri, Map.of()), Optional.empty())).isEmpty();
  }

  @Test
  void rangesConditionsAndCopiesAreSeen() {
    String uri = "http://h/lake/a";
    assertThat(facts("GET", uri, Map.of("Range", "bytes=5-9")).range())
        .contains(new ByteRange(5, 10));
    assertThat(facts("GET", uri, Map.of("Range", "bytes=-9")).range()).contains(new SuffixRange(9));
    assertThat(facts("GET", uri, Map.of("Range", "bytes=5-")).range()).isEmpty();
    assertThat(facts("GET", uri, Map.of("If-Match", "\"e\"")).isConditional()).isFalse();
    assertThat(facts("PUT", uri, Map.of("If-Match", "\"e\"")).isConditional()).isTrue();
    assertThat(facts("PUT", uri, Map.of("if-none-match", "*")).isOnce()).isTrue();
    Map<String, String> copy = Map.of("x-amz-copy-source", "lake/b");
    assertThat(facts("PUT", uri, copy).operation()).isEqualTo(Operation.COPY);
    assertThat(facts("PUT", uri + "?uploadId=u&partNumber=1", copy).operation())
        .isEqualTo(Operation.COPY_PART);
  }

  @ParameterizedTest
  @CsvSource({
    "t/__magic_job-55bb4f84-677c-4530-a157-8e59df89422e/, true",
    "t/__magic_job-55bb4f84-677c-4530-a157-8e59df89422e/tasks/attempt_1/__base/, true",
    "t/_temporary/0/_temporary/attempt_202611291223167239082717126530301_0006_m_000051_173/x, true",
    "t/.spark-staging-95a391b9-a38e-488e-b555-ed4f75325aa5/a, true",
    "t/_temporary/0/, false",
    "t/__magic/, false",
    "t/attempt_of_mine.csv, false",
    "t/part-0.parquet, false"
  })
  void scratchDirectoriesOfCommittersAreKnown(String key, boolean isScratch) {
    assertThat(HttpFacts.isScratch(key)).isEqualTo(isScratch);
  }

  /** A host that begins with the bucket's name says nothing about where the bucket stands. */
  @Test
  void whatTheSdkSaysOfARequestIsBetterThanItsAddress() {
    SdkHttpRequest inPath = request("GET", "https://minio.example.com/minio/key1", Map.of());
    HttpFacts facts = HttpFacts.ofNamed(inPath, "minio", "key1").orElseThrow();
    assertThat(facts.bucket()).isEqualTo("minio");
    assertThat(facts.key()).isEqualTo("key1");
    SdkHttpRequest listing =
        request("GET", "https://gateway/s3/lake?list-type=2&prefix=a/", Map.of());
    HttpFacts listed = HttpFacts.ofNamed(listing, "lake", "").orElseThrow();
    assertThat(listed.operation()).isEqualTo(Operation.LIST);
    assertThat(listed.key()).isEqualTo("a/");
  }
}
