/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.Settings;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.s3.RecordingServer.Answer;
import io.penstock.s3.RecordingServer.Received;
import io.penstock.s3.settings.S3Options;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Checksums of bodies on stores that check them, ignore them, or refuse them. */
class BodyChecksumsTest {
  private static final String CRC32C = "x-amz-checksum-crc32c";
  private static final String CONTENT_CRC32C = "Ya91Mw==";
  private static final String CONTENT_MD5 = "mgNkuembtIDdJeHwKEyFVQ==";
  private static final Upload UPLOAD = new Upload("key", "id");

  /** Unsigned, so that no signature covers the content. */
  private static final Map<String, String> UNSIGNED = Map.of("penstock.credentials", "anonymous");

  private RecordingServer server;

  @AfterEach
  void closeTheServer() {
    server.close();
  }

  @Test
  void aStoreThatChecksCrc32cGetsOneEachTimeAndNoOther() throws IOException {
    answering(BodyChecksumsTest::checked);
    try (ObjectStore store = open(UNSIGNED)) {
      writeTwice(store);
    }
    assertThat(server.received())
        .hasSize(4)
        .allSatisfy(
            request -> {
              assertThat(request.header(CRC32C)).isEqualTo(CONTENT_CRC32C);
              assertThat(request.header("Content-MD5")).isNull();
            });
  }

  @Test
  void aStoreThatIgnoresItGetsAnMd5FromThenOn() throws IOException {
    answering(request -> stored());
    try (ObjectStore store = open(UNSIGNED)) {
      writeTwice(store);
    }
    assertThat(sums()).containsExactly("crc32c", "crc32c", "md5", "md5");
  }

  @Test
  void aStoreThatRefusesItGetsTheSameBodyWithAnMd5() throws IOException {
    for (Answer refusal :
        List.of(
            Answer.error(501, "NotImplemented", "x-amz-checksum-crc32c is not implemented"),
            Answer.error(400, "InvalidArgument", "unknown header"))) {
      answering(request -> request.header(CRC32C) == null ? stored() : refusal);
      try (ObjectStore store = open(UNSIGNED)) {
        writeTwice(store);
      }
      assertThat(sums()).containsExactly("crc32c", "md5", "crc32c", "md5", "md5", "md5");
      assertThat(server.received())
          .allSatisfy(request -> assertThat(request.body()).isEqualTo("content"));
      server.close();
    }
  }

  @Test
  void aPartMayBeRefusedWhereAnObjectIsNot() throws IOException {
    answering(
        request ->
            isPart(request) && request.header(CRC32C) != null
                ? Answer.error(
                    400, "InvalidRequest", "Checksum Type mismatch, expected null, actual crc32c")
                : checked(request));
    try (ObjectStore store = open(UNSIGNED)) {
      writeTwice(store);
    }
    assertThat(sums()).containsExactly("crc32c", "crc32c", "md5", "crc32c", "md5");
  }

  @Test
  void whatIsRefusedWithAnMd5TooIsToldAndTeachesNothing() throws IOException {
    answering(request -> Answer.error(400, "InvalidRequest", "the object is locked"));
    try (ObjectStore store = open(UNSIGNED)) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> store.put("key", content(), Condition.NONE))
            .isInstanceOfSatisfying(
                StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.INVALID_REQUEST))
            .hasMessageContaining("the object is locked");
      }
    }
    assertThat(sums()).containsExactly("crc32c", "md5", "crc32c", "md5");
  }

  @Test
  void onceTheStoreHasCheckedOneOtherRefusalsAreNoReasonForAnother() throws IOException {
    answering(
        request ->
            server.received().size() == 1
                ? checked(request)
                : Answer.error(400, "InvalidRequest", "the object is locked"));
    try (ObjectStore store = open(UNSIGNED)) {
      store.put("key", content(), Condition.NONE);
      assertThatThrownBy(() -> store.put("key", content(), Condition.NONE))
          .isInstanceOf(StoreException.class);
    }
    assertThat(sums()).containsExactly("crc32c", "crc32c");
  }

  @Test
  void aBodyThatArrivedDamagedIsSentAgainAsItIs() throws IOException {
    answering(
        request ->
            Answer.error(400, "XAmzContentChecksumMismatch", "does not match what was computed"));
    try (ObjectStore store = open(UNSIGNED)) {
      assertThatThrownBy(() -> store.put("key", content(), Condition.NONE))
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CONNECTION_LOST));
    }
    assertThat(sums()).containsExactly("crc32c");
  }

  @Test
  void whatIsKnownOfABucketIsKnownToAllItsStores() throws IOException {
    answering(request -> stored());
    S3Stores stores = TestStores.shared();
    for (int i = 0; i < 2; i++) {
      try (ObjectStore store = stores.open("lake", settings(UNSIGNED))) {
        store.put("key", content(), Condition.NONE);
      }
    }
    assertThat(sums()).containsExactly("crc32c", "md5");
  }

  // ---- declared uploads

  @Test
  void onAmazonAnUploadDeclaresTheChecksumsOfItsParts() throws IOException {
    answering(BodyChecksumsTest::checked);
    try (ObjectStore store = openAsAmazon(Map.of())) {
      write(store);
    }
    Received create = server.received().get(0);
    assertThat(create.header("x-amz-checksum-algorithm")).isEqualTo("CRC32C");
    assertThat(create.header("x-amz-checksum-type")).isEqualTo("FULL_OBJECT");
    assertThat(server.received().get(1).header(CRC32C)).isEqualTo(CONTENT_CRC32C);
    assertThat(server.last().body()).doesNotContain("Checksum");
    assertThat(server.received()).hasSize(3);
  }

  @Test
  void noUploadIsDeclaredElsewhereNorForOtherChecksums() throws IOException {
    for (String checksum : List.of("md5", "sha256")) {
      answering(BodyChecksumsTest::checked);
      try (ObjectStore store = openAsAmazon(Map.of("penstock.checksum", checksum))) {
        write(store);
      }
      assertThat(server.received().get(0).headers()).doesNotContainKey("X-amz-checksum-algorithm");
      server.close();
    }
    answering(BodyChecksumsTest::checked);
    try (ObjectStore store = open(Map.of("penstock.checksum", "crc32c"))) {
      write(store);
    }
    assertThat(server.received().get(0).headers()).doesNotContainKey("X-amz-checksum-algorithm");
    assertThat(server.received().get(1).header(CRC32C)).isEqualTo(CONTENT_CRC32C);
  }

  @Test
  void whereNoUploadCanBeDeclaredThePartsCarryAnMd5() throws IOException {
    answering(
        request ->
            request.header("x-amz-checksum-algorithm") == null
                ? checked(request)
                : Answer.error(501, "NotImplemented", "no such header"));
    try (ObjectStore store = openAsAmazon(Map.of())) {
      write(store);
      write(store);
    }
    assertThat(server.received()).hasSize(1 + 3 + 3);
    assertThat(server.received().stream().filter(BodyChecksumsTest::isPart))
        .hasSize(2)
        .allSatisfy(part -> assertThat(part.header("Content-MD5")).isEqualTo(CONTENT_MD5));
  }

  @Test
  void aStoreThatAsksForThePartsChecksumsGetsThem() throws IOException {
    answering(
        request ->
            request.uri().getQuery().equals("uploadId=id")
                    && request.method().equals("POST")
                    && !request.body().contains("<ChecksumCRC32C>Ya91Mw==</ChecksumCRC32C>")
                ? Answer.error(
                    400, "InvalidRequest", "The complete request must include the checksum")
                : checked(request));
    try (ObjectStore store = openAsAmazon(Map.of())) {
      write(store);
      write(store);
    }
    assertThat(server.received().stream().map(Received::method))
        .containsExactly(
            "POST", "PUT", "POST", "GET", "POST", // refused, listed, completed
            "POST", "PUT", "GET", "POST");
  }

  @Test
  void aStoreThatCompletesNoUploadWithAChecksumOfItsPartsGetsMd5sFromThenOn() throws IOException {
    answering(
        request ->
            request.method().equals("POST")
                    && server.received().stream().anyMatch(one -> one.header(CRC32C) != null)
                    && server.received().stream()
                        .noneMatch(one -> one.header("Content-MD5") != null)
                    && request.uri().getQuery().equals("uploadId=id")
                ? Answer.error(400, "InvalidRequest", "The request must include the checksum")
                : checked(request));
    try (ObjectStore store = open(UNSIGNED)) {
      assertThatThrownBy(() -> write(store)).hasMessageContaining("include the checksum");
      write(store);
    }
    assertThat(server.received().get(1).header(CRC32C)).isEqualTo(CONTENT_CRC32C);
    assertThat(server.received().get(4).header("Content-MD5")).isEqualTo(CONTENT_MD5);
  }

  // ---- helpers

  private void answering(Function<Received, Answer> behaviour) throws IOException {
    server = RecordingServer.answering(behaviour);
  }

  private List<String> sums() {
    return server.received().stream()
        .map(request -> request.header("Content-MD5") == null ? "crc32c" : "md5")
        .toList();
  }

  private static void writeTwice(ObjectStore store) throws IOException {
    for (int i = 0; i < 2; i++) {
      store.put("key", content(), Condition.NONE);
      store.uploadPart(UPLOAD, 1, content());
    }
  }

  private static void write(ObjectStore store) throws IOException {
    Upload upload = store.createUpload("key");
    Part part = store.uploadPart(upload, 1, content());
    store.completeUpload(new PendingUpload(upload, List.of(part)), Condition.NONE);
  }

  private ObjectStore open(Map<String, String> more) {
    return TestStores.open("lake", settings(more));
  }

  /** Opens a store that takes the server for Amazon S3. */
  private ObjectStore openAsAmazon(Map<String, String> more) {
    S3Options options = S3Options.from("lake", settings(more), name -> null);
    return TestStores.shared().open("lake", TestStores.asAmazon(options));
  }

  private Settings settings(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(more);
    all.put("penstock.endpoint", server.http());
    if (!more.containsKey("penstock.credentials")) {
      all.put("penstock.access.key", "any");
      all.put("penstock.secret.key", "any-secret");
    }
    return Settings.of(all);
  }

  private static boolean isPart(Received request) {
    return String.valueOf(request.uri().getQuery()).contains("partNumber");
  }

  /** The answer of a store that repeats the checksum it has checked. */
  private static Answer checked(Received request) {
    return switch (request.method()) {
      case "PUT" ->
          request.header(CRC32C) == null ? stored() : stored().with(CRC32C, request.header(CRC32C));
      case "GET" ->
          Answer.ok(
              "<Result><UploadId>id</UploadId><IsTruncated>false</IsTruncated><Part>"
                  + "<PartNumber>1</PartNumber><ETag>\"abc\"</ETag><Size>7</Size>"
                  + "<ChecksumCRC32C>Ya91Mw==</ChecksumCRC32C></Part></Result>");
      default -> Answer.ok("<Result><UploadId>id</UploadId><ETag>\"abc\"</ETag></Result>");
    };
  }

  private static Answer stored() {
    return Answer.ok("").with("ETag", "\"abc\"");
  }

  private static Body content() {
    return Body.ofBytes("content".getBytes(UTF_8));
  }
}
