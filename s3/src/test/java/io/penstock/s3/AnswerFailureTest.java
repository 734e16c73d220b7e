/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static io.penstock.s3.GuardedLake.endpoint;
import static io.penstock.s3.GuardedLake.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.s3.GuardedLake.Call;
import io.penstock.s3.RecordingServer.Answer;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Failures that the server answers, by status and code, and answers that are not to be believed.
 */
class AnswerFailureTest {
  @AutoClose private final GuardedLake lake = new GuardedLake();

  @Test
  void slowDownIsThrottled() throws IOException {
    assertThat(lake.struckBy("503").kind()).isEqualTo(Kind.THROTTLED);
  }

  @Test
  void anInternalErrorMayHaveActed() throws IOException {
    StoreException e = lake.struckBy("500");
    assertThat(e.kind()).isEqualTo(Kind.SERVER_ERROR);
    assertThat(e.requestId()).isPresent();
  }

  @Test
  void aConflictIsNotAnAnswer() throws IOException {
    assertThat(lake.struckBy("409").kind()).isEqualTo(Kind.CONFLICT);
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
    kinds.put("409 ObjectParentIsFile", Kind.PARENT_IS_OBJECT);
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
      StoreException e =
          lake.answered(Answer.error(Integer.parseInt(status[0]), status[1], "because"));
      assertThat(e.kind()).as(entry.getKey()).isEqualTo(entry.getValue());
      assertThat(e)
          .hasMessageContaining("because")
          .hasMessageContaining("PUT s3://lake/key")
          .hasMessageContaining("REQ4F2A");
    }
  }

  @Test
  void thePermissionThatTheAnswerNamesIsAskedFor() throws IOException {
    String key = "arn:aws:kms:eu-west-1:111122223333:key/orders";
    StoreException e =
        lake.answered(
            Answer.error(
                403,
                "AccessDenied",
                "User: arn:aws:sts::111122223333:assumed-role/job/1 is not authorized to perform:"
                    + " kms:GenerateDataKey on resource: %s because no policy".formatted(key)));
    assertThat(e)
        .hasMessageContaining("lack kms:GenerateDataKey here")
        .hasMessageNotContaining("s3:PutObject");
  }

  @Test
  void anEncryptedObjectWithoutItsKeyNamesTheSettings() throws IOException {
    assertThat(failedRead("The object was stored using a form of Server Side Encryption."))
        .hasMessageContaining("penstock.encryption=sse-c");
    assertThat(failedRead("It could not be processed for these addresses."))
        .hasMessageNotContaining("sse-c");
  }

  private StoreException failedRead(String message) throws IOException {
    try (RecordingServer answering =
        RecordingServer.answering(r -> Answer.error(400, "InvalidRequest", message))) {
      return lake.failure(
          "lake",
          endpoint(answering.http()),
          store -> store.get("key", new ByteRange(0, 1), Optional.empty()));
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
            lake.failure(
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
      StoreException e = lake.failure("lake", endpoint(right.http()), store -> put(store, "key"));
      assertThat(e.kind()).isEqualTo(Kind.INVALID_REQUEST);
      assertThat(right.received()).hasSize(1);
    }
  }

  @Test
  void aWrongClockIsNamed() throws IOException {
    assertThat(lake.answered(Answer.error(403, "RequestTimeTooSkewed", "skewed")))
        .hasMessageContaining("The clock of this machine is wrong");
  }

  @Test
  void anArchivedObjectIsToldAsThatAndNotAsMissingPermissions() throws IOException {
    try (RecordingServer glacier =
        RecordingServer.answering(r -> Answer.error(403, "InvalidObjectState", "not now"))) {
      StoreException e =
          lake.failure(
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
            lake.failure(
                "lake",
                endpoint(busy.http()),
                store -> store.completeUpload(pending, Condition.IF_ABSENT));
        assertThat(e.kind()).as(code).isEqualTo(Kind.PRECONDITION_FAILED);
        assertThat(e)
            .hasMessageContaining("Another write of this key was under way")
            .hasMessageContaining("write the object again from the start");
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
      assertThat(e.kind()).isEqualTo(Kind.NOT_S3);
      assertThat(e)
          .hasMessageContaining("LIST s3://lake/p/")
          .hasMessageContaining("without the token of the next page");
    }
    for (String marker : List.of("", "<NextKeyMarker></NextKeyMarker>")) {
      StoreException e =
          listed(uploads.formatted(marker), store -> store.listUploads("p/", Optional.empty()));
      assertThat(e.kind()).isEqualTo(Kind.NOT_S3);
      assertThat(e).hasMessageContaining("LIST_UPLOADS s3://lake/p/");
    }
  }

  private StoreException listed(String answer, Call call) throws IOException {
    try (RecordingServer server = RecordingServer.answering(r -> Answer.ok(answer))) {
      return lake.failure("lake", endpoint(server.http()), call);
    }
  }

  @Test
  void anErrorInsideAnAnswerOf200IsAFailure() throws IOException {
    Answer error = Answer.error(500, "InternalError", "try again");
    try (RecordingServer late =
        RecordingServer.answering(r -> new Answer(200, error.headers(), error.body()))) {
      Map<String, String> there = endpoint(late.http());
      assertThat(
              lake.failure("lake", there, store -> store.copy("a", "b", Optional.empty())).kind())
          .isEqualTo(Kind.SERVER_ERROR);
      PendingUpload pending =
          new PendingUpload(new Upload("a", "id"), List.of(new Part(1, "abc", 1)));
      assertThat(
              lake.failure("lake", there, store -> store.completeUpload(pending, Condition.NONE))
                  .kind())
          .isEqualTo(Kind.SERVER_ERROR);
    }
  }

  @Test
  void anAnswerWithoutAnEtagIsNoSuccess() throws IOException {
    assertThat(lake.answered(Answer.ok("")).kind()).isEqualTo(Kind.NOT_S3);
  }

  @Test
  void aStoreThatIgnoresRangesIsNotBelieved() throws IOException {
    try (RecordingServer simple =
        RecordingServer.answering(r -> Answer.ok("all of it").with("ETag", "\"abc\""))) {
      StoreException e =
          lake.failure(
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
        "<DeleteResult><Deleted><Key>a</Key></Deleted>"
            + "<Error><Key>b</Key><Code>AccessDenied</Code><Message>no</Message></Error>"
            + "</DeleteResult>";
    try (RecordingServer server = RecordingServer.answering(r -> Answer.ok(answer));
        ObjectStore store = lake.open("lake", endpoint(server.http()))) {
      Map<String, StoreException> failed = store.deleteAll(List.of("a", "b"));
      assertThat(failed).containsOnlyKeys("b");
      assertThat(failed.get("b").kind()).isEqualTo(Kind.ACCESS_DENIED);
      assertThat(failed.get("b")).hasMessageContaining("s3://lake/b");
    }
  }

  @Test
  void aKeyDeletedInVainWithoutAReasonIsToldToo() throws IOException {
    String answer =
        "<DeleteResult><Deleted><Key>a</Key></Deleted><Error><Key>b</Key></Error></DeleteResult>";
    try (RecordingServer server = RecordingServer.answering(r -> Answer.ok(answer));
        ObjectStore store = lake.open("lake", endpoint(server.http()))) {
      assertThat(store.deleteAll(List.of("a", "b"))).containsOnlyKeys("b");
    }
  }
}
