/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.core.config.Settings;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.s3.RecordingServer.Answer;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** S3 begins the answer to what takes long with 200, and may have to say later that it failed. */
class ErrorsInsideAnswersTest {
  private static final Upload UPLOAD = new Upload("big", "id");
  private static final PendingUpload PENDING =
      new PendingUpload(UPLOAD, List.of(new Part(1, "abc", 1)));

  private interface Call {
    void on(ObjectStore store) throws IOException;
  }

  private static Map<String, Call> calls() {
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put("COPY", store -> store.copy("a", "b", Optional.empty()));
    calls.put("COPY_PART", store -> store.copyPart(UPLOAD, 1, "a", new ByteRange(0, 5)));
    calls.put("COMPLETE_UPLOAD", store -> store.completeUpload(PENDING, Condition.NONE));
    calls.put("DELETE_ALL", store -> store.deleteAll(List.of("a", "b")));
    calls.put("CREATE_UPLOAD", store -> store.createUpload("big"));
    calls.put("LIST", store -> store.list(ListRequest.flat("")));
    calls.put("LIST_UPLOADS", store -> store.listUploads("", Optional.empty()));
    calls.put("LIST_PARTS", store -> store.listParts(UPLOAD, Optional.empty()));
    return calls;
  }

  @Test
  void anErrorInsideAnAnswerOf200IsWhatItsCodeSays() throws IOException {
    for (Map.Entry<String, Call> call : calls().entrySet()) {
      assertThat(failure(error("SlowDown"), call.getValue()).kind())
          .as(call.getKey())
          .isEqualTo(Kind.THROTTLED);
      assertThat(failure(error("InternalError"), call.getValue()).kind())
          .as(call.getKey())
          .isEqualTo(Kind.SERVER_ERROR);
      assertThat(failure(error("Unheard"), call.getValue()))
          .as(call.getKey())
          .hasMessageContaining(call.getKey() + " s3://lake/")
          .hasMessageContaining("try again")
          .extracting(StoreException::kind)
          .isEqualTo(Kind.SERVER_ERROR);
    }
  }

  @Test
  void anErrorAfterTheSpacesThatKeptTheConnectionAliveIsOneToo() throws IOException {
    String late = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n   \n  \n";
    for (Map.Entry<String, Call> call : calls().entrySet()) {
      assertThat(failure(late + error("SlowDown"), call.getValue()).kind())
          .as(call.getKey())
          .isEqualTo(Kind.THROTTLED);
    }
  }

  @Test
  void anAnswerOf200WithoutAnythingIsNoSuccess() throws IOException {
    Map<String, Call> calls = calls();
    calls.remove("DELETE_ALL"); // Each of its keys fails, see BulkAnswersTest.
    for (Map.Entry<String, Call> call : calls.entrySet()) {
      StoreException e = failure("", call.getValue());
      assertThat(e.kind().retry()).as(call.getKey()).isEqualTo(StoreException.Retry.IF_IDEMPOTENT);
    }
  }

  @Test
  void aKeyThatCouldNotBeDeletedIsWhatItsCodeSays() throws IOException {
    String answer =
        "<DeleteResult><Error><Key>a</Key><Code>SlowDown</Code></Error>"
            + "<Error><Key>b</Key><Code>InternalError</Code></Error></DeleteResult>";
    try (RecordingServer server = RecordingServer.answering(r -> Answer.ok(answer));
        ObjectStore store = open(server)) {
      Map<String, StoreException> failed = store.deleteAll(List.of("a", "b"));
      assertThat(failed.get("a").kind()).isEqualTo(Kind.THROTTLED);
      assertThat(failed.get("b").kind()).isEqualTo(Kind.SERVER_ERROR);
    }
  }

  private static String error(String code) {
    return "<Error><Code>%s</Code><Message>try again</Message></Error>".formatted(code);
  }

  private static StoreException failure(String body, Call call) throws IOException {
    try (RecordingServer server = RecordingServer.answering(r -> Answer.ok(body));
        ObjectStore store = open(server)) {
      StoreException e = catchThrowableOfType(StoreException.class, () -> call.on(store));
      return e == null ? StoreException.of(Kind.UNSUPPORTED, null, "", "passed for a success") : e;
    }
  }

  private static ObjectStore open(RecordingServer server) {
    return TestStores.open(
        "lake",
        Settings.of(
            Map.of("penstock.endpoint", server.http(), "penstock.credentials", "anonymous")));
  }
}
