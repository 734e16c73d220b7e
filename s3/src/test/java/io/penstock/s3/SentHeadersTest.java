/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.config.Settings;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.s3.RecordingServer.Answer;
import io.penstock.s3.RecordingServer.Received;
import io.penstock.s3.settings.S3Keys;
import java.io.IOException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SentHeadersTest {
  private static final String KEY =
      Base64.getEncoder().encodeToString("0123456789abcdef0123456789abcdef".getBytes(UTF_8));
  private static final String KEY_MD5 = "hRasmdxgYDKV3nvbahU1MA==";
  private static final String SSE = "x-amz-server-side-encryption";
  private static final String CUSTOMER_KEY = SSE + "-customer-key";
  private static final String SOURCE_KEY = "x-amz-copy-source-server-side-encryption-customer-key";

  private RecordingServer server;

  @BeforeEach
  void openTheServer() throws IOException {
    server = RecordingServer.answering(SentHeadersTest::likeS3);
  }

  @AfterEach
  void closeTheServer() {
    server.close();
  }

  @Test
  void withoutSettingsNothingIsAdded() throws IOException {
    Map<String, Received> sent = everyCall(Map.of());
    sent.remove("DELETE_ALL"); // S3 insists on a checksum there
    assertThat(sent.values())
        .allSatisfy(
            request ->
                assertThat(request.headers().keySet())
                    .noneMatch(
                        name ->
                            name.toLowerCase(java.util.Locale.ROOT)
                                .matches(".*(encryption|payer|acl|storage|checksum|expect).*")));
  }

  @Test
  void anUploadIsOnePlainBodyOfKnownLength() throws IOException {
    Received put = everyCall(Map.of()).get("PUT");
    assertThat(put.body()).isEqualTo("content");
    assertThat(put.header("Content-Length")).isEqualTo("7");
    assertThat(put.header("Content-Encoding")).isNull();
    assertThat(put.header("Transfer-Encoding")).isNull();
  }

  @Test
  void sseS3StandsOnWhatCreatesAnObject() throws IOException {
    Map<String, Received> sent = everyCall(Map.of("penstock.encryption", "sse-s3"));
    assertThat(header(sent, SSE))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("PUT", "AES256", "COPY", "AES256", "CREATE", "AES256"));
  }

  @Test
  void sseKmsNamesItsKey() throws IOException {
    Map<String, Received> sent =
        everyCall(Map.of("penstock.encryption", "sse-kms", "penstock.encryption.key", "key-7"));
    assertThat(sent.get("PUT").header(SSE)).isEqualTo("aws:kms");
    assertThat(header(sent, SSE + "-aws-kms-key-id"))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("PUT", "key-7", "COPY", "key-7", "CREATE", "key-7"));
  }

  @Test
  void dsseKmsIsSent() throws IOException {
    assertThat(everyCall(Map.of("fs.s3a.encryption.algorithm", "DSSE-KMS")).get("PUT").header(SSE))
        .isEqualTo("aws:kms:dsse");
  }

  @Test
  void tagsStandOnWhatCreatesAnObjectFromBytes() throws IOException {
    Map<String, Received> sent = everyCall(Map.of("penstock.tags", "team=data lake, cost=7%"));
    assertThat(header(sent, "x-amz-tagging"))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("PUT", "team=data%20lake&cost=7%25", "CREATE", "team=data%20lake&cost=7%25"));
  }

  @Test
  void theExpectedOwnerStandsOnEveryRequest() throws IOException {
    Map<String, Received> sent = everyCall(Map.of("penstock.bucket.owner", "123456789012"));
    assertThat(header(sent, "x-amz-expected-bucket-owner")).hasSameSizeAs(sent);
    assertThat(header(sent, "x-amz-source-expected-bucket-owner").keySet())
        .containsExactlyInAnyOrder("COPY", "COPY_PART");
  }

  @Test
  void theCustomersKeyGoesWithEveryRequestAboutBytes() throws IOException {
    Map<String, Received> sent =
        everyCall(Map.of("penstock.encryption", "sse-c", "penstock.encryption.key", KEY));
    assertThat(header(sent, CUSTOMER_KEY).keySet())
        .containsExactlyInAnyOrder(
            "PUT", "GET", "HEAD", "COPY", "CREATE", "PART", "COPY_PART", "COMPLETE");
    assertThat(header(sent, SOURCE_KEY).keySet()).containsExactlyInAnyOrder("COPY", "COPY_PART");
    assertThat(sent.get("GET").header(CUSTOMER_KEY)).isEqualTo(KEY);
    assertThat(sent.get("GET").header(CUSTOMER_KEY + "-md5")).isEqualTo(KEY_MD5);
    assertThat(sent.get("GET").header(SSE + "-customer-algorithm")).isEqualTo("AES256");
    assertThat(sent.get("PUT").header(SSE)).isNull();
  }

  @Test
  void theRequesterPaysForEveryRequest() throws IOException {
    Map<String, Received> sent = everyCall(Map.of("fs.s3a.requester.pays.enabled", "true"));
    assertThat(header(sent, "x-amz-request-payer")).hasSize(sent.size());
  }

  @Test
  void storageClassAndAclStandOnWhatCreatesAnObject() throws IOException {
    Map<String, Received> sent =
        everyCall(
            Map.of(
                "penstock.storage.class", "intelligent_tiering",
                "fs.s3a.acl.default", "BucketOwnerFullControl"));
    assertThat(header(sent, "x-amz-storage-class").keySet())
        .containsExactlyInAnyOrder("PUT", "COPY", "CREATE");
    assertThat(sent.get("PUT").header("x-amz-storage-class")).isEqualTo("INTELLIGENT_TIERING");
    assertThat(sent.get("PUT").header("x-amz-acl")).isEqualTo("bucket-owner-full-control");
  }

  @Test
  void aChosenChecksumIsAHeaderOfThePlainBody() throws IOException {
    Map<String, Received> sent = everyCall(Map.of("penstock.checksum", "crc32c"));
    assertThat(sent.get("PUT").header("x-amz-checksum-crc32c")).isEqualTo("Ya91Mw==");
    assertThat(sent.get("PUT").body()).isEqualTo("content");
  }

  @Test
  void aPartCarriesTheChosenChecksumAndItsUploadDeclaresNothing() throws IOException {
    Map<String, Received> sent = everyCall(Map.of("penstock.checksum", "crc32"));
    assertThat(header(sent, "x-amz-checksum-crc32").keySet())
        .containsExactlyInAnyOrder("PUT", "PART");
    assertThat(header(sent, "x-amz-checksum-algorithm")).isEmpty();
  }

  /** Backblaze B2 refuses the CRC32 of newer SDKs, and older stores ask for an MD5. */
  @Test
  void aBulkDeleteCarriesAnMd5AndNothingElse() throws IOException {
    Received sent = everyCall(Map.of()).get("DELETE_ALL");
    assertThat(sent.header("Content-MD5"))
        .isEqualTo(Checksums.of(S3Keys.Checksum.MD5, Body.ofBytes(sent.body().getBytes(UTF_8))));
    assertThat(sent.header("x-amz-checksum-crc32")).isNull();
    assertThat(sent.header("x-amz-sdk-checksum-algorithm")).isNull();
  }

  @Test
  void overHttpEveryUploadIsSignedWithItsSha256AndCarriesNoMd5() throws IOException {
    Map<String, Received> sent = everyCall(Map.of());
    for (String call : List.of("PUT", "PART")) {
      assertThat(sent.get(call).header("x-amz-content-sha256"))
          .isEqualTo("ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73");
    }
    assertThat(header(sent, "Content-MD5").keySet()).isSubsetOf("DELETE_ALL");
  }

  @Test
  void uploadsThatAreNotSignedCarryACrc32c() throws IOException {
    Map<String, Received> sent = everyCall(Map.of("penstock.credentials", "anonymous"));
    for (String call : List.of("PUT", "PART")) {
      assertThat(sent.get(call).header("x-amz-checksum-crc32c")).isEqualTo("Ya91Mw==");
    }
  }

  @Test
  void sha256GoesWithWholeObjects() throws IOException {
    Map<String, Received> sent = everyCall(Map.of("penstock.checksum", "sha256"));
    assertThat(sent.get("PUT").header("x-amz-checksum-sha256"))
        .isEqualTo("7XACtDnprIRfIjV9giusFERzD722AW0+yUMil7nsn3M=");
    assertThat(sent.get("PART").header("Content-MD5")).isEqualTo("mgNkuembtIDdJeHwKEyFVQ==");
  }

  @Test
  void conditionsAreHeaders() throws IOException {
    try (ObjectStore store = open(Map.of())) {
      store.put("key", content(), Condition.IF_ABSENT);
      assertThat(server.last().header("If-None-Match")).isEqualTo("*");
      store.put("key", content(), Condition.ifMatch("abc"));
      assertThat(server.last().header("If-Match")).isEqualTo("\"abc\"");
      PendingUpload pending =
          new PendingUpload(new Upload("key", "id"), List.of(new Part(1, "abc", 7)));
      store.completeUpload(pending, Condition.IF_ABSENT);
      assertThat(server.last().header("If-None-Match")).isEqualTo("*");
    }
  }

  @Test
  void manyKeysAreDeletedWithTheDigestThatOldStoresInsistOn() throws IOException {
    Received delete = everyCall(Map.of()).get("DELETE_ALL");
    assertThat(delete.header("Content-MD5")).isNotNull();
  }

  @Test
  void theUserAgentNamesUs() throws IOException {
    assertThat(everyCall(Map.of()).get("GET").header("User-Agent")).startsWith("penstock/");
    assertThat(
            everyCall(Map.of("penstock.user.agent", "nightly-etl")).get("GET").header("User-Agent"))
        .startsWith("nightly-etl penstock/");
  }

  @Test
  void anonymousRequestsAreNotSigned() throws IOException {
    Map<String, Received> sent =
        everyCall(
            Map.of(
                "fs.s3a.aws.credentials.provider",
                "org.apache.hadoop.fs.s3a.AnonymousAWSCredentialsProvider"));
    assertThat(header(sent, "Authorization")).isEmpty();
  }

  @Test
  void aSessionTokenIsSent() throws IOException {
    Map<String, Received> sent = everyCall(Map.of("penstock.session.token", "a-token"));
    assertThat(header(sent, "x-amz-security-token")).hasSize(sent.size());
  }

  @Test
  void anAddressIsAskedWithTheBucketInThePath() throws IOException {
    assertThat(everyCall(Map.of()).get("HEAD").uri().getPath()).isEqualTo("/lake/key");
  }

  // ---- helpers

  private ObjectStore open(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("penstock.endpoint", server.http());
    if (!settings.containsKey("fs.s3a.aws.credentials.provider")) {
      all.put("penstock.access.key", "any");
      all.put("penstock.secret.key", "any-secret");
    }
    return TestStores.open("lake", Settings.of(all));
  }

  /** One call of each kind, by name. */
  private Map<String, Received> everyCall(Map<String, String> settings) throws IOException {
    server.received().clear();
    Upload upload = new Upload("key", "id");
    try (ObjectStore store = open(settings)) {
      store.put("key", content(), Condition.NONE);
      store.get("key", new ByteRange(0, 7), Optional.empty());
      store.head("key");
      store.copy("key", "other", Optional.empty());
      store.delete("key");
      store.deleteAll(List.of("key"));
      store.list(io.penstock.core.store.ListRequest.flat("k"));
      store.createUpload("key");
      store.uploadPart(upload, 1, content());
      store.copyPart(upload, 2, "other", new ByteRange(0, 7));
      store.completeUpload(
          new PendingUpload(upload, List.of(new Part(1, "abc", 7))), Condition.NONE);
      store.abortUpload(upload);
      store.listUploads("k", Optional.empty());
      store.listParts(upload, Optional.empty());
    }
    List<String> names =
        List.of(
            "PUT",
            "GET",
            "HEAD",
            "COPY",
            "DELETE",
            "DELETE_ALL",
            "LIST",
            "CREATE",
            "PART",
            "COPY_PART",
            "COMPLETE",
            "ABORT",
            "LIST_UPLOADS",
            "LIST_PARTS");
    assertThat(server.received()).as("one request a call").hasSameSizeAs(names);
    Map<String, Received> sent = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      sent.put(names.get(i), server.received().get(i));
    }
    return sent;
  }

  private static Map<String, String> header(Map<String, Received> sent, String name) {
    return sent.entrySet().stream()
        .filter(entry -> entry.getValue().header(name) != null)
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().header(name)));
  }

  private static Body content() {
    return Body.ofBytes("content".getBytes(UTF_8));
  }

  private static Answer likeS3(Received request) {
    Function<String, Answer> xml = body -> Answer.ok("<?xml version=\"1.0\"?>" + body);
    String query = Optional.ofNullable(request.uri().getQuery()).orElse("");
    return switch (request.method()) {
      case "PUT" ->
          request.header("x-amz-copy-source") == null
              ? Answer.ok("").with("ETag", "\"abc\"")
              : xml.apply("<CopyResult><ETag>\"abc\"</ETag></CopyResult>");
      case "GET" ->
          query.isEmpty()
              ? new Answer(
                  206, Map.of("ETag", "\"abc\"", "Content-Range", "bytes 0-6/7"), "content")
              : xml.apply("<Result><IsTruncated>false</IsTruncated></Result>");
      case "POST" ->
          query.startsWith("uploads")
              ? xml.apply("<Result><UploadId>id</UploadId></Result>")
              : xml.apply("<Result><ETag>\"abc\"</ETag></Result>");
      case "DELETE" -> new Answer(204, Map.of(), null);
      default -> Answer.ok("content").with("ETag", "\"abc\"");
    };
  }
}
