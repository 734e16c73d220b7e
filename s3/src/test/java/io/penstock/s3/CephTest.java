/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.core.config.Settings;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.s3.RecordingServer.Answer;
import io.penstock.s3.RecordingServer.Received;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Plays what Ceph 16.2.15 and 18.2.7 answered, word for word. */
class CephTest {
  private static final Upload UPLOAD = new Upload("key", "2~BIXdfJUud5UeDUY7");
  private static final PendingUpload PENDING =
      new PendingUpload(UPLOAD, List.of(new Part(1, "900150983cd24fb0d6963f7d28e17f72", 3)));
  private static final Answer NO_SUCH_KEY = Answer.error(404, "NoSuchKey", "");
  private static final Answer IN_PROGRESS =
      Answer.error(500, "InternalError", "This multipart completion is already in progress");

  private RecordingServer server;
  private ObjectStore store;

  @AfterEach
  void close() throws Exception {
    store.close();
    server.close();
  }

  private ObjectStore ceph(Function<Received, Answer> behaviour) throws IOException {
    server = RecordingServer.answering(behaviour);
    store =
        TestStores.open(
            "lake",
            Settings.of(
                Map.of("penstock.endpoint", server.http(), "penstock.credentials", "anonymous")));
    return store;
  }

  private static Kind failure(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    return catchThrowableOfType(StoreException.class, call).kind();
  }

  private static Answer completed(Received request, String etag) {
    return request.method().equals("HEAD")
        ? Answer.ok("abc").with("ETag", "\"" + etag + "\"")
        : Answer.ok(
            "<CompleteMultipartUploadResult><Key>key</Key><ETag></ETag>"
                + "</CompleteMultipartUploadResult>");
  }

  @Test
  void theEtagThatACompleteLacksIsTheObjects() throws IOException {
    String etag = Etags.ofParts(PENDING.parts());
    ceph(request -> completed(request, etag));
    assertThat(store.completeUpload(PENDING, Condition.NONE)).isEqualTo(etag);
  }

  @Test
  void anotherObjectDoesNotProveAComplete() throws IOException {
    ceph(request -> completed(request, "another-1"));
    assertThat(failure(() -> store.completeUpload(PENDING, Condition.NONE)))
        .isEqualTo(Kind.CONNECTION_LOST);
  }

  @Test
  void anAbortedUploadIsNoCompletionInProgress() throws IOException {
    ceph(request -> request.method().equals("POST") ? IN_PROGRESS : NO_SUCH_KEY);
    assertThat(failure(() -> store.completeUpload(PENDING, Condition.NONE)))
        .isEqualTo(Kind.NO_SUCH_UPLOAD);
    assertThat(failure(() -> store.listParts(UPLOAD, Optional.empty())))
        .isEqualTo(Kind.NO_SUCH_UPLOAD);
    store.abortUpload(UPLOAD);
  }

  /** Ceph's own words: the prefix of the request is not encoded, the names of the answer are. */
  @Test
  void aPrefixThatIsRepeatedAsItIsIsListedWithoutEncoding() throws IOException {
    ceph(
        request -> {
          boolean isEncoded = request.uri().getQuery().contains("encoding-type=url");
          return Answer.ok(
              "<ListBucketResult><Prefix>100%/</Prefix>"
                  + (isEncoded ? "<EncodingType>url</EncodingType>" : "")
                  + "<Contents><Key>"
                  + (isEncoded ? "100%25/%25" : "100%/%")
                  + "</Key><LastModified>2026-11-28T17:20:46.023Z</LastModified>"
                  + "<ETag>&quot;abc&quot;</ETag><Size>1</Size></Contents>"
                  + "<IsTruncated>false</IsTruncated></ListBucketResult>");
        });
    assertThat(store.list(ListRequest.flat("100%/")).objects())
        .extracting(ObjectMeta::key)
        .containsExactly("100%/%");
  }

  @Test
  void aCompletionInProgressIsOneThatMayBeRetried() throws IOException {
    ceph(
        request ->
            request.method().equals("POST")
                ? IN_PROGRESS
                : Answer.ok("<ListPartsResult><IsTruncated>false</IsTruncated></ListPartsResult>"));
    assertThat(failure(() -> store.completeUpload(PENDING, Condition.NONE)))
        .isEqualTo(Kind.SERVER_ERROR);
  }

  @Test
  void aCompleteWhoseConditionIsIgnoredLooksFirst() throws IOException {
    Gateway gateway = new Gateway();
    ceph(gateway);
    assertThat(store.supportsConditionalWrites("key")).isTrue();

    assertThat(store.completeUpload(PENDING, Condition.IF_ABSENT)).isEqualTo("made");
    assertThat(failure(() -> store.completeUpload(PENDING, Condition.IF_ABSENT)))
        .isEqualTo(Kind.PRECONDITION_FAILED);
    assertThat(failure(() -> store.completeUpload(PENDING, Condition.ifMatch("other"))))
        .isEqualTo(Kind.PRECONDITION_FAILED);
    store.completeUpload(PENDING, Condition.ifMatch("made"));
    gateway.there.clear();
    assertThat(failure(() -> store.completeUpload(PENDING, Condition.ifMatch("made"))))
        .isEqualTo(Kind.PRECONDITION_FAILED);
  }

  @Test
  void anEtagIsSentWithoutQuotesWhereTheStoreWantsItSo() throws IOException {
    ceph(new Gateway());
    assertThat(store.supportsConditionalWrites("key")).isTrue();
    store.put("key", Body.empty(), Condition.IF_ABSENT);
    store.put("key", Body.empty(), Condition.ifMatch("made"));
    assertThat(server.last().header("If-Match")).isEqualTo("made");
    assertThat(failure(() -> store.put("key", Body.empty(), Condition.ifMatch("other"))))
        .isEqualTo(Kind.PRECONDITION_FAILED);
  }

  /** A store that ignores what it cannot read must not be taken for one that wants no quotes. */
  @Test
  void aStoreThatIgnoresAnEtagWithoutQuotesHasNoConditions() throws IOException {
    Gateway gateway = new Gateway();
    gateway.ignoresBareEtags = true;
    ceph(gateway);
    assertThat(store.supportsConditionalWrites("key")).isFalse();
  }

  @Test
  void aProbeThatFailsInTheMiddleIsNotBelieved() throws IOException {
    Gateway gateway = new Gateway();
    ceph(
        request ->
            isComplete(request) && gateway.completes.getAndIncrement() == 0
                ? Answer.error(503, "SlowDown", "")
                : gateway.apply(request));
    assertThat(failure(() -> store.supportsConditionalWrites("key"))).isEqualTo(Kind.THROTTLED);
    assertThat(server.received()).anyMatch(request -> request.method().equals("DELETE"));
    assertThat(store.supportsConditionalWrites("key")).isTrue();
    store.put("key", Body.empty(), Condition.IF_ABSENT);
    assertThat(failure(() -> store.completeUpload(PENDING, Condition.IF_ABSENT)))
        .isEqualTo(Kind.PRECONDITION_FAILED);
  }

  @Test
  void aStoreThatRefusesTheHeaderOfACompleteGetsNone() throws IOException {
    Gateway gateway = new Gateway();
    ceph(
        request ->
            isComplete(request)
                    && (request.header("If-None-Match") != null
                        || request.header("If-Match") != null)
                ? Answer.error(501, "NotImplemented", "A header you provided")
                : gateway.apply(request));
    assertThat(store.supportsConditionalWrites("key")).isTrue();
    assertThat(server.received())
        .as("the probe's upload is aborted")
        .anyMatch(
            request ->
                request.method().equals("DELETE")
                    && String.valueOf(request.uri().getQuery()).contains("uploadId"));
    assertThat(store.completeUpload(PENDING, Condition.IF_ABSENT)).isEqualTo("made");
  }

  private static boolean isComplete(Received request) {
    return request.method().equals("POST")
        && String.valueOf(request.uri().getQuery()).contains("uploadId");
  }

  @Test
  void whoMayNotListPartsGetsTheFirstFailure() throws IOException {
    ceph(
        request ->
            request.method().equals("POST") ? IN_PROGRESS : Answer.error(403, "AccessDenied", ""));
    assertThat(failure(() -> store.completeUpload(PENDING, Condition.NONE)))
        .isEqualTo(Kind.SERVER_ERROR);
  }

  @Test
  void keysOfUploadsThatAreEncodedWithoutSayingSoAreListedAnew() throws IOException {
    ceph(
        request ->
            Answer.ok(
                "<ListMultipartUploadsResult><IsTruncated>false</IsTruncated><Upload><Key>"
                    + (request.uri().getQuery().contains("encoding-type") ? "p%3D1" : "p=1")
                    + "</Key><UploadId>u</UploadId>"
                    + "<Initiated>2026-11-28T17:17:42.048Z</Initiated></Upload>"
                    + "</ListMultipartUploadsResult>"));
    assertThat(store.listUploads("p", Optional.empty()).uploads())
        .extracting(listed -> listed.upload().key())
        .containsExactly("p=1");
  }

  /** It compares ETags without quotes, and ignores the condition of a Complete. */
  private static final class Gateway implements Function<Received, Answer> {
    private final Set<String> there = ConcurrentHashMap.newKeySet();
    private final AtomicInteger completes = new AtomicInteger();
    private boolean ignoresBareEtags;

    @Override
    public Answer apply(Received request) {
      String path = request.uri().getPath();
      String query = String.valueOf(request.uri().getQuery());
      Answer made = Answer.ok("").with("ETag", "\"made\"");
      return switch (request.method()) {
        case "POST" -> {
          if (query.startsWith("uploads")) {
            yield Answer.ok(
                "<InitiateMultipartUploadResult><UploadId>u</UploadId>"
                    + "</InitiateMultipartUploadResult>");
          }
          there.add(path);
          yield Answer.ok(
              "<CompleteMultipartUploadResult><ETag>\"made\"</ETag>"
                  + "</CompleteMultipartUploadResult>");
        }
        case "HEAD" -> there.contains(path) ? made : new Answer(404, Map.of(), null);
        case "PUT" ->
            query.contains("uploadId") || isTaken(request, path)
                ? made
                : Answer.error(412, "PreconditionFailed", "");
        default -> new Answer(204, Map.of(), null);
      };
    }

    private boolean isTaken(Received request, String path) {
      String ifMatch = request.header("If-Match");
      if (ifMatch == null) {
        return there.add(path);
      }
      return ifMatch.equals("made") || (ignoresBareEtags && !ifMatch.startsWith("\""));
    }
  }
}
