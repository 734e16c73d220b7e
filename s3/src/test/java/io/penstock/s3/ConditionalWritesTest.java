/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.config.Settings;
import io.penstock.core.store.ObjectStore;
import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.s3.RecordingServer.Answer;
import io.penstock.s3.RecordingServer.Received;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ConditionalWritesTest {
  @Test
  void aStoreIsTriedOnceForAllThatOpenIt() throws IOException {
    try (EmbeddedS3 server = EmbeddedS3.builder().bucket("lake").start()) {
      S3Stores stores = TestStores.shared();
      String endpoint = server.endpoint().toString();
      assertThat(supported(stores, endpoint, Map.of())).isTrue();
      Map<String, Long> once =
          Map.of(
              "PutObject", 4L,
              "CreateMultipartUpload", 1L,
              "UploadPart", 1L,
              "CompleteMultipartUpload", 2L,
              "AbortMultipartUpload", 1L,
              "DeleteObject", 1L);
      assertThat(server.counts().requests()).isEqualTo(once);
      assertThat(supported(stores, endpoint, Map.of())).isTrue();
      assertThat(server.counts().requests()).isEqualTo(once);
    }
  }

  @Test
  void aStoreThatHonoursConditionsOnPutAloneIsUsedAndWarnedOf() throws IOException {
    try (RecordingServer server =
        RecordingServer.answering(
            request -> {
              String query = String.valueOf(request.uri().getQuery());
              if (request.method().equals("POST") && query.startsWith("uploads")) {
                return Answer.ok(
                    "<InitiateMultipartUploadResult><UploadId>u</UploadId>"
                        + "</InitiateMultipartUploadResult>");
              }
              if (request.method().equals("POST")) {
                return Answer.ok(
                    "<CompleteMultipartUploadResult><ETag>\"abc-1\"</ETag>"
                        + "</CompleteMultipartUploadResult>");
              }
              if (request.method().equals("DELETE")) {
                return new Answer(204, Map.of(), null);
              }
              return query.contains("uploadId") ? etag() : onlyIfConditionHolds(request);
            })) {
      assertThat(supported(server.http(), Map.of())).isTrue();
      assertThat(lines(server))
          .anyMatch(line -> line.contains("uploadId"))
          .last()
          .asString()
          .startsWith("DELETE /lake/table/__penstock_probe_");
    }
  }

  private static Answer onlyIfConditionHolds(Received request) {
    String ifMatch = request.header("If-Match");
    if (ifMatch == null) {
      return onlyIfAbsent(request);
    }
    return ifMatch.equals(etag().headers().get("ETag"))
        ? etag()
        : Answer.error(412, "PreconditionFailed", "another");
  }

  @Test
  void aStoreThatIgnoresConditionsIsFoundOut() throws IOException {
    try (RecordingServer server = puts(request -> etag())) {
      assertThat(supported(server.http(), Map.of())).isFalse();
      assertThat(lines(server))
          .hasSize(3)
          .last()
          .asString()
          .startsWith("DELETE /lake/table/__penstock_probe_");
    }
  }

  @Test
  void aStoreThatHonoursOnlyIfNoneMatchIsNotEnough() throws IOException {
    try (RecordingServer server = puts(ConditionalWritesTest::onlyIfAbsent)) {
      assertThat(supported(server.http(), Map.of())).isFalse();
    }
  }

  @Test
  void aStoreThatRefusesTheHeaderHasNoConditions() throws IOException {
    try (RecordingServer server =
        puts(request -> Answer.error(501, "NotImplemented", "A header you provided"))) {
      assertThat(supported(server.http(), Map.of())).isFalse();
    }
  }

  @Test
  void aSettingSparesTheTry() throws IOException {
    try (RecordingServer server = puts(request -> etag())) {
      assertThat(supported(server.http(), Map.of("penstock.conditional.writes", "true"))).isTrue();
      assertThat(supported(server.http(), Map.of("penstock.conditional.writes", "false")))
          .isFalse();
      assertThat(server.received()).isEmpty();
    }
  }

  @Test
  void amazonIsKnown() throws IOException {
    assertThat(supported("https://s3.eu-west-1.amazonaws.com", Map.of())).isTrue();
  }

  private static boolean supported(String endpoint, Map<String, String> more) throws IOException {
    return supported(TestStores.shared(), endpoint, more);
  }

  private static boolean supported(S3Stores stores, String endpoint, Map<String, String> more)
      throws IOException {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("penstock.endpoint", endpoint);
    settings.put("penstock.access.key", "any");
    settings.put("penstock.secret.key", "any-secret");
    try (ObjectStore store = stores.open("lake", Settings.of(settings))) {
      return store.supportsConditionalWrites("table/part-0");
    }
  }

  private static RecordingServer puts(Function<Received, Answer> answer) throws IOException {
    return RecordingServer.answering(
        request ->
            request.method().equals("PUT")
                ? answer.apply(request)
                : new Answer(204, Map.of(), null));
  }

  private static Answer etag() {
    return Answer.ok("").with("ETag", "\"abc\"");
  }

  /** The first PUT finds nothing; what the probe sends after it finds the object. */
  private static Answer onlyIfAbsent(Received request) {
    boolean second = request.header("If-None-Match") != null && !SEEN.add(request.uri().getPath());
    return second ? Answer.error(412, "PreconditionFailed", "exists") : etag();
  }

  private static final java.util.Set<String> SEEN =
      java.util.concurrent.ConcurrentHashMap.newKeySet();

  private static List<String> lines(RecordingServer server) {
    return server.received().stream().map(Received::line).toList();
  }
}
