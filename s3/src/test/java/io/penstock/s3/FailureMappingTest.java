/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.core.config.Settings;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Part;
import io.penstock.core.store.PendingUpload;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.Upload;
import io.penstock.emulator.s3.Credentials;
import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.emulator.weather.Weather;
import io.penstock.s3.RecordingServer.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a user sees when something is wrong: the right kind, and words that help. */
class FailureMappingTest {
  private static final String ID = "AKIATESTTESTTEST";
  private static final String SECRET = "a-very-secret-key";

  private static EmbeddedS3 server;

  @TempDir private static Path directory;

  @BeforeAll
  static void openTheServer() throws IOException {
    server =
        EmbeddedS3.builder()
            .region("eu-west-1")
            .bucket("lake")
            .readOnlyBucket("archive")
            .credentials(Credentials.of(ID, SECRET))
            .credentials(Credentials.session("AKIAOLD", SECRET, "old-token", Instant.EPOCH))
            .start();
  }

  @AfterEach
  void calmTheWeather() {
    server.weather(Weather.CALM);
  }

  @AfterAll
  static void closeTheServer() {
    server.close();
  }

  // ---- settings

  @Test
  void anUnknownBucketIsNamed() {
    StoreException e = failure("nowhere", Map.of(), store -> store.list(ListRequest.flat("")));
    assertThat(e.kind()).isEqualTo(Kind.NO_SUCH_BUCKET);
    assertThat(e)
        .hasMessageContaining("LIST s3://nowhere/")
        .hasMessageContaining(server.endpoint().toString());
    assertThat(e.requestId()).isPresent();
    assertThat(failure("nowhere", Map.of(), store -> put(store, "key")).kind())
        .isEqualTo(Kind.NO_SUCH_BUCKET);
  }

  @Test
  void aWrongRegionIsToldWithTheRightOne() {
    StoreException e =
        failure("lake", Map.of("penstock.region", "us-east-1"), store -> put(store, "key"));
    assertThat(e.kind()).isEqualTo(Kind.WRONG_REGION);
    assertThat(e).hasMessageContaining("not in us-east-1: set penstock.region=eu-west-1");
  }

  @Test
  void aWrongSecretIsBadCredentials() {
    StoreException e =
        failure("lake", Map.of("penstock.secret.key", "wrong"), store -> put(store, "key"));
    assertThat(e.kind()).isEqualTo(Kind.BAD_CREDENTIALS);
    assertThat(e)
        .hasMessageContaining("SignatureDoesNotMatch")
        .hasMessageContaining("penstock.access.key");
  }

  @Test
  void anUnknownKeyIdIsBadCredentials() {
    StoreException e =
        failure("lake", Map.of("penstock.access.key", "AKIAUNKNOWN"), store -> put(store, "key"));
    assertThat(e.kind()).isEqualTo(Kind.BAD_CREDENTIALS);
  }

  @Test
  void headTellsWhyItWasRefused() {
    StoreException e =
        failure("lake", Map.of("penstock.secret.key", "wrong"), store -> store.head("key"));
    assertThat(e.kind()).isEqualTo(Kind.BAD_CREDENTIALS);
  }

  @Test
  void anExpiredSessionIsToldApart() {
    Map<String, String> old =
        Map.of("penstock.access.key", "AKIAOLD", "penstock.session.token", "old-token");
    assertThat(failure("lake", old, store -> put(store, "key")).kind())
        .isEqualTo(Kind.EXPIRED_CREDENTIALS);
    StoreException head = failure("lake", old, store -> store.head("key"));
    assertThat(head.kind()).isEqualTo(Kind.EXPIRED_CREDENTIALS);
    assertThat(head).hasMessageContaining("renew");
  }

  @Test
  void anonymousAccessThatIsNotAllowedIsDenied() {
    StoreException e =
        failure("lake", Map.of("penstock.credentials", "anonymous"), store -> put(store, "key"));
    assertThat(e.kind()).isEqualTo(Kind.ACCESS_DENIED);
  }

  @Test
  void noCredentialsAtAllSaysWhereTheyWereLookedFor() {
    StoreException e =
        failure(
            "lake",
            Map.of("penstock.credentials", "profile", "penstock.profile", "missing"),
            store -> put(store, "key"));
    assertThat(e.kind()).isEqualTo(Kind.BAD_CREDENTIALS);
    assertThat(e).hasMessageContaining("the profile missing").hasMessageContaining("anonymous");
  }

  @Test
  void aRoleThatCannotBeAssumedIsToldWithTheReason() throws IOException {
    try (RecordingServer sts =
        RecordingServer.answering(
            r ->
                new Answer(
                    403,
                    Map.of(),
                    "<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>"
                        + "may not assume</Message></Error><RequestId>S7</RequestId>"
                        + "</ErrorResponse>"))) {
      StoreException e =
          failure(
              "lake",
              Map.of(
                  "penstock.role.arn",
                  "arn:aws:iam::1:role/etl",
                  "penstock.role.sts.endpoint",
                  sts.http()),
              store -> put(store, "key"));
      assertThat(e.kind()).isEqualTo(Kind.BAD_CREDENTIALS);
      assertThat(e)
          .hasMessageContaining("the role arn:aws:iam::1:role/etl")
          .hasMessageContaining("may not assume");
    }
  }

  @Test
  void aReadOnlyBucketNamesThePermission() {
    StoreException e = failure("archive", Map.of(), store -> put(store, "key"));
    assertThat(e.kind()).isEqualTo(Kind.ACCESS_DENIED);
    assertThat(e).hasMessageContaining("s3:PutObject");
  }

  @Test
  void aReadOnlyBucketIsNotTakenForAStoreWithoutConditions() {
    StoreException e = failure("archive", Map.of(), ObjectStore::supportsConditionalWrites);
    assertThat(e.kind()).isEqualTo(Kind.ACCESS_DENIED);
    assertThat(e).hasMessageContaining("penstock.conditional.writes");
  }

  // ---- the way there

  @Test
  void aClosedPortIsUnreachable() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    StoreException e =
        failure("lake", endpoint("http://127.0.0.1:" + port), store -> store.head("key"));
    assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE);
    assertThat(e).hasMessageContaining("penstock.endpoint").hasMessageContaining("" + port);
  }

  @Test
  void anUnknownHostIsUnreachable() {
    StoreException e =
        failure("lake", endpoint("http://no.such.host.invalid"), store -> store.head("key"));
    assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE);
    assertThat(e).hasMessageContaining("DNS");
  }

  @Test
  void tlsOnAPlainPortIsTold() {
    String endpoint = server.endpoint().toString().replace("http:", "https:");
    StoreException e = failure("lake", endpoint(endpoint), store -> store.head("key"));
    assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE);
    assertThat(e).hasMessageContaining("http://");
  }

  @Test
  void plainHttpOnATlsPortIsTold() throws Exception {
    try (EmbeddedS3 tls =
        EmbeddedS3.builder().bucket("lake").tls(TestTls.selfSigned(directory)).start()) {
      String endpoint = tls.endpoint().toString().replace("https:", "http:");
      StoreException e = failure("lake", endpoint(endpoint), store -> store.head("key"));
      assertThat(e).hasMessageContaining("https://");
    }
  }

  @Test
  void plainHttpOnAPortThatSaysItSpeaksTlsIsTold() throws IOException {
    try (RecordingServer minio =
        RecordingServer.answering(
            r ->
                new Answer(
                    400,
                    Map.of("Content-Type", "text/plain; charset=utf-8"),
                    "Client sent an HTTP request to an HTTPS server.\n"))) {
      StoreException e = failure("lake", endpoint(minio.http()), store -> put(store, "key"));
      assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE);
      assertThat(e).hasMessageContaining("https://");
    }
  }

  @Test
  void aCertificateNobodyTrustsIsTold() throws Exception {
    try (RecordingServer tls =
        RecordingServer.overTls(
            TestTls.selfSigned(java.nio.file.Files.createTempDirectory(directory, "tls")),
            r -> Answer.ok(""))) {
      StoreException e =
          failure("lake", endpoint("https://127.0.0.1:" + tls.port()), store -> store.head("key"));
      assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE);
      assertThat(e).hasMessageContaining("javax.net.ssl.trustStore");
    }
  }

  @Test
  void aServerThatStaysSilentIsLostAfterTheSocketTimeout() throws IOException {
    server.weather(Weather.CALM.withFaults("PutObject#1=stall:5s"));
    StoreException e =
        failure("lake", Map.of("penstock.socket.timeout", "200ms"), store -> put(store, "key"));
    assertThat(e.kind()).isEqualTo(Kind.CONNECTION_LOST);
    assertThat(e).hasMessageContaining("penstock.socket.timeout");
  }

  @Test
  void anInterruptIsNoFailureOfTheStore() {
    try (ObjectStore store = open("lake", Map.of())) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> put(store, "key")).isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).as("the flag stays set").isTrue();
    } finally {
      Thread.interrupted();
    }
  }

  // ---- the store

  @Test
  void slowDownIsThrottled() {
    assertThat(struckBy("503").kind()).isEqualTo(Kind.THROTTLED);
  }

  @Test
  void anInternalErrorMayHaveActed() {
    StoreException e = struckBy("500");
    assertThat(e.kind()).isEqualTo(Kind.SERVER_ERROR);
    assertThat(e.requestId()).isPresent();
  }

  @Test
  void aResetConnectionMayHaveActed() {
    assertThat(struckBy("reset-before").kind()).isEqualTo(Kind.CONNECTION_LOST);
    assertThat(struckBy("reset-after").kind()).isEqualTo(Kind.CONNECTION_LOST);
  }

  @Test
  void aConflictIsNotAnAnswer() {
    assertThat(struckBy("409").kind()).isEqualTo(Kind.CONFLICT);
  }

  /** The bucket's region: without it, the first request is one that is refused. */
  private static final Map<String, String> IN_PLACE = Map.of("penstock.region", "eu-west-1");

  @Test
  void aTruncatedReadIsLost() throws IOException {
    try (ObjectStore store = open("lake", IN_PLACE)) {
      store.put("long", Body.ofBytes(new byte[100_000]), Condition.NONE);
    }
    server.weather(Weather.CALM.withFaults("GetObject#1=truncate"));
    StoreException e =
        failure(
            "lake",
            IN_PLACE,
            store -> store.get("long", new ByteRange(0, 100_000), Optional.empty()));
    assertThat(e.kind()).isEqualTo(Kind.CONNECTION_LOST);
  }

  @Test
  void aTruncatedListingIsLost() {
    server.weather(Weather.CALM.withFaults("ListObjectsV2#1=truncate"));
    StoreException e = failure("lake", IN_PLACE, store -> store.list(ListRequest.flat("")));
    assertThat(e.kind()).isEqualTo(Kind.CONNECTION_LOST);
  }

  @Test
  void everyCodeHasItsKind() throws IOException {
    Map<String, Kind> kinds = new HashMap<>();
    kinds.put("400 RequestTimeout", Kind.CONNECTION_LOST);
    kinds.put("400 ExpiredToken", Kind.EXPIRED_CREDENTIALS);
    kinds.put("400 InvalidArgument", Kind.INVALID_REQUEST);
    kinds.put("400 EntityTooSmall", Kind.INVALID_REQUEST);
    kinds.put("403 RequestTimeTooSkewed", Kind.BAD_CREDENTIALS);
    kinds.put("403 AllAccessDisabled", Kind.ACCESS_DENIED);
    kinds.put("404 NoSuchUpload", Kind.NO_SUCH_UPLOAD);
    kinds.put("405 MethodNotAllowed", Kind.UNSUPPORTED);
    kinds.put("409 OperationAborted", Kind.CONFLICT);
    kinds.put("409 ObjectParentIsFile", Kind.INVALID_REQUEST);
    kinds.put("412 PreconditionFailed", Kind.PRECONDITION_FAILED);
    kinds.put("429 TooManyRequests", Kind.THROTTLED);
    kinds.put("400 ThrottledException", Kind.THROTTLED);
    kinds.put("400 ThrottlingException", Kind.THROTTLED);
    kinds.put("403 RequestThrottledException", Kind.THROTTLED);
    kinds.put("400 TooManyRequestsException", Kind.THROTTLED);
    kinds.put("400 TooManyRequests", Kind.THROTTLED);
    kinds.put("501 NotImplemented", Kind.UNSUPPORTED);
    kinds.put("502 BadGateway", Kind.CONNECTION_LOST);
    kinds.put("504 GatewayTimeout", Kind.CONNECTION_LOST);
    kinds.put("503 Whatever", Kind.THROTTLED);
    for (Map.Entry<String, Kind> entry : kinds.entrySet()) {
      String[] status = entry.getKey().split(" ", -1);
      StoreException e = answered(Answer.error(Integer.parseInt(status[0]), status[1], "because"));
      assertThat(e.kind()).as(entry.getKey()).isEqualTo(entry.getValue());
      assertThat(e)
          .hasMessageContaining("because")
          .hasMessageContaining("PUT s3://lake/key")
          .hasMessageContaining("REQ4F2A");
    }
  }

  @Test
  void aRegionInQuotesOfEitherKindIsUnderstood() throws IOException {
    for (String quote : new String[] {"'", "\""}) {
      String message = "the region is wrong; expecting %1$ssa-east-1%1$s".formatted(quote);
      try (RecordingServer malformed =
          RecordingServer.answering(
              r -> Answer.error(400, "AuthorizationHeaderMalformed", message))) {
        StoreException e =
            failure(
                "lake",
                Map.of("penstock.endpoint", malformed.http(), "penstock.region", "us-east-1"),
                store -> put(store, "key"));
        assertThat(e.kind()).isEqualTo(Kind.WRONG_REGION);
        assertThat(e).hasMessageContaining("set penstock.region=sa-east-1");
      }
    }
  }

  @Test
  void anAnswerThatNamesTheRegionAskedIsAboutSomethingElse() throws IOException {
    Answer invalid =
        Answer.error(400, "InvalidArgument", "no").with("x-amz-bucket-region", "us-east-1");
    try (RecordingServer right = RecordingServer.answering(r -> invalid)) {
      StoreException e = failure("lake", endpoint(right.http()), store -> put(store, "key"));
      assertThat(e.kind()).isEqualTo(Kind.INVALID_REQUEST);
      assertThat(right.received()).hasSize(1);
    }
  }

  @Test
  void aWrongClockIsNamed() throws IOException {
    assertThat(answered(Answer.error(403, "RequestTimeTooSkewed", "skewed")))
        .hasMessageContaining("clock");
  }

  @Test
  void anArchivedObjectIsToldAsThatAndNotAsMissingPermissions() throws IOException {
    try (RecordingServer glacier =
        RecordingServer.answering(r -> Answer.error(403, "InvalidObjectState", "not now"))) {
      StoreException e =
          failure(
              "lake",
              endpoint(glacier.http()),
              store -> store.get("key", new ByteRange(0, 1), Optional.empty()));
      assertThat(e)
          .hasMessageContaining("The object is archived: restore it first")
          .hasMessageNotContaining("The credentials");
    }
  }

  @Test
  void aConflictOfACompletionIsFinalAndSaysThatTheUploadMustBeStartedAnew() throws IOException {
    PendingUpload pending =
        new PendingUpload(new Upload("a", "id"), List.of(new Part(1, "abc", 1)));
    for (String code : List.of("ConditionalRequestConflict", "OperationAborted", "Whatever")) {
      try (RecordingServer busy =
          RecordingServer.answering(r -> Answer.error(409, code, "in progress"))) {
        StoreException e =
            failure(
                "lake",
                endpoint(busy.http()),
                store -> store.completeUpload(pending, Condition.IF_ABSENT));
        assertThat(e.kind()).as(code).isEqualTo(Kind.PRECONDITION_FAILED);
        assertThat(e)
            .hasMessageContaining("Another write of this key was under way")
            .hasMessageContaining("write it again from the start");
      }
    }
  }

  @Test
  void aTruncatedPageThatDoesNotTellHowToGoOnIsNoEndOfTheListing() throws IOException {
    String list =
        "<ListBucketResult><IsTruncated>true</IsTruncated>%s<Contents><Key>a</Key><Size>1</Size>"
            + "</Contents></ListBucketResult>";
    String uploads =
        "<ListMultipartUploadsResult><IsTruncated>true</IsTruncated>%s</ListMultipartUploadsResult>";
    for (String token : List.of("", "<NextContinuationToken></NextContinuationToken>")) {
      StoreException e = listed(list.formatted(token), store -> store.list(ListRequest.flat("p/")));
      assertThat(e.kind()).isEqualTo(Kind.SERVER_ERROR);
      assertThat(e)
          .hasMessageContaining("LIST s3://lake/p/")
          .hasMessageContaining("does not tell how to go on");
    }
    for (String marker : List.of("", "<NextKeyMarker></NextKeyMarker>")) {
      StoreException e =
          listed(uploads.formatted(marker), store -> store.listUploads("p/", Optional.empty()));
      assertThat(e.kind()).isEqualTo(Kind.SERVER_ERROR);
      assertThat(e).hasMessageContaining("LIST_UPLOADS s3://lake/p/");
    }
  }

  private static StoreException listed(String answer, Call call) throws IOException {
    try (RecordingServer server = RecordingServer.answering(r -> Answer.ok(answer))) {
      return failure("lake", endpoint(server.http()), call);
    }
  }

  @Test
  void anErrorInsideAnAnswerOf200IsAFailure() throws IOException {
    Answer error = Answer.error(500, "InternalError", "try again");
    try (RecordingServer late =
        RecordingServer.answering(r -> new Answer(200, error.headers(), error.body()))) {
      Map<String, String> there = endpoint(late.http());
      assertThat(failure("lake", there, store -> store.copy("a", "b", Optional.empty())).kind())
          .isEqualTo(Kind.SERVER_ERROR);
      PendingUpload pending =
          new PendingUpload(new Upload("a", "id"), List.of(new Part(1, "abc", 1)));
      assertThat(
              failure("lake", there, store -> store.completeUpload(pending, Condition.NONE)).kind())
          .isEqualTo(Kind.SERVER_ERROR);
    }
  }

  @Test
  void anAnswerWithoutAnEtagIsNoSuccess() throws IOException {
    assertThat(answered(Answer.ok("")).kind()).isEqualTo(Kind.CONNECTION_LOST);
  }

  @Test
  void aStoreThatIgnoresRangesIsNotBelieved() throws IOException {
    try (RecordingServer simple =
        RecordingServer.answering(r -> Answer.ok("all of it").with("ETag", "\"abc\""))) {
      StoreException e =
          failure(
              "lake",
              endpoint(simple.http()),
              store -> store.get("key", new ByteRange(4, 6), Optional.empty()));
      assertThat(e.kind()).isEqualTo(Kind.SERVER_ERROR);
      assertThat(e).hasMessageContaining("ignore ranges");
    }
  }

  @Test
  void keysDeletedInVainAreToldOneByOne() throws IOException {
    String answer =
        "<DeleteResult><Error><Key>b</Key><Code>AccessDenied</Code><Message>no</Message></Error>"
            + "</DeleteResult>";
    try (RecordingServer server = RecordingServer.answering(r -> Answer.ok(answer));
        ObjectStore store = open("lake", endpoint(server.http()))) {
      Map<String, StoreException> failed = store.deleteAll(List.of("a", "b"));
      assertThat(failed).containsOnlyKeys("b");
      assertThat(failed.get("b").kind()).isEqualTo(Kind.ACCESS_DENIED);
      assertThat(failed.get("b")).hasMessageContaining("s3://lake/b");
    }
  }

  @Test
  void aKeyDeletedInVainWithoutAReasonIsToldToo() throws IOException {
    String answer = "<DeleteResult><Error><Key>b</Key></Error></DeleteResult>";
    try (RecordingServer server = RecordingServer.answering(r -> Answer.ok(answer));
        ObjectStore store = open("lake", endpoint(server.http()))) {
      assertThat(store.deleteAll(List.of("a", "b"))).containsOnlyKeys("b");
    }
  }

  // ---- keys and bodies

  @Test
  void aKeyOf1024BytesWorksAndALongerOneIsRefusedAtOnce() throws IOException {
    String longest = "k".repeat(1024);
    try (ObjectStore store = open("lake", Map.of())) {
      put(store, longest);
      assertThat(store.head(longest).sizeBytes()).isEqualTo(7);
      server.resetCounts();
      StoreException e =
          catchThrowableOfType(StoreException.class, () -> put(store, longest + "ü"));
      assertThat(e.kind()).isEqualTo(Kind.INVALID_REQUEST);
      assertThat(server.counts().total()).isZero();
    }
  }

  @Test
  void aBodyThatCannotBeReadIsNotTheStoresFailure() {
    Body broken =
        new Body() {
          @Override
          public long sizeBytes() {
            return 10;
          }

          @Override
          public InputStream open() throws IOException {
            throw new java.nio.file.NoSuchFileException("/spill/block-7");
          }
        };
    try (ObjectStore store = open("lake", Map.of())) {
      assertThatThrownBy(() -> store.put("key", broken, Condition.NONE))
          .isNotInstanceOf(StoreException.class)
          .hasMessageContaining("s3://lake/key")
          .hasRootCauseMessage("/spill/block-7");
    }
  }

  @Test
  void aClosedStoreRefuses() {
    ObjectStore store = open("lake", Map.of());
    store.close();
    store.close();
    assertThatThrownBy(() -> store.head("key")).hasMessageContaining("closed");
  }

  // ---- secrets

  @Test
  void noSecretIsEverShown() throws IOException {
    String leak =
        "you sent %s and %s, Authorization: AWS4-HMAC-SHA256 Credential=%s/x, Signature=beef"
            .formatted(ID, SECRET, ID);
    for (int status : new int[] {400, 403, 404, 500}) {
      StoreException e = answered(Answer.error(status, "Odd", leak));
      for (Throwable t = e; t != null; t = t.getCause()) {
        assertThat(t.toString()).doesNotContain(ID, SECRET, "beef");
      }
    }
  }

  // ---- helpers

  private interface Call {
    void on(ObjectStore store) throws IOException;
  }

  /** How a PUT fails in this weather. */
  private static StoreException struckBy(String fault) {
    server.weather(Weather.CALM.withFaults("PutObject#1=" + fault));
    return failure("lake", Map.of(), store -> put(store, "key"));
  }

  /** How a PUT fails when this is the answer. */
  private static StoreException answered(Answer answer) throws IOException {
    try (RecordingServer server = RecordingServer.answering(r -> answer)) {
      return failure("lake", endpoint(server.http()), store -> put(store, "key"));
    }
  }

  private static StoreException failure(String bucket, Map<String, String> settings, Call call) {
    try (ObjectStore store = open(bucket, settings)) {
      ThrowingCallable thrower = () -> call.on(store);
      StoreException failure = catchThrowableOfType(StoreException.class, thrower);
      assertThat(failure).as("a failure of the store").isNotNull();
      assertThat(failure.toString()).doesNotContain(SECRET, ID);
      return failure;
    }
  }

  private static ObjectStore open(String bucket, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>();
    all.put("penstock.endpoint", server.endpoint().toString());
    all.put("penstock.access.key", ID);
    all.put("penstock.secret.key", SECRET);
    all.put("penstock.connect.timeout", Duration.ofSeconds(2).toMillis() + "ms");
    all.putAll(settings);
    return TestStores.open(bucket, Settings.of(all));
  }

  private static Map<String, String> endpoint(String url) {
    return Map.of("penstock.endpoint", url);
  }

  private static void put(ObjectStore store, String key) throws IOException {
    store.put(key, Body.ofBytes("content".getBytes(UTF_8)), Condition.NONE);
  }
}
