/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.core.config.Settings;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.keys.Keys;
import io.penstock.s3.RecordingServer.Answer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Names that a store refuses: what it never took cannot be there. */
class ImpossibleNamesTest {
  private static final List<String> CODES =
      List.of(
          "KeyTooLongError",
          "XMinioInvalidObjectName",
          "XMinioInvalidResourceName",
          "InvalidObjectName");

  private interface Call {
    void on(ObjectStore store) throws IOException;
  }

  private static Optional<Kind> failure(Answer answer, Call call) throws IOException {
    return Optional.ofNullable(refused(answer, call)).map(StoreException::kind);
  }

  private static StoreException refused(Answer answer, Call call) throws IOException {
    try (RecordingServer server = RecordingServer.answering(r -> answer);
        ObjectStore store =
            TestStores.open(
                "lake",
                Settings.of(
                    Map.of(
                        "penstock.endpoint",
                        server.http(),
                        "penstock.credentials",
                        "anonymous")))) {
      return catchThrowableOfType(StoreException.class, () -> call.on(store));
    }
  }

  @Test
  void whoAsksWhetherANameIsPossibleIsTold() throws IOException {
    for (String code : CODES) {
      Answer refusal = Answer.error(400, code, "no such name");
      assertThat(refused(refusal, store -> store.head("a")).isOfName()).as(code).isTrue();
    }
    Answer missing = Answer.error(404, "NoSuchKey", "nothing there");
    assertThat(refused(missing, store -> store.head("a")).isOfName()).isFalse();
  }

  @Test
  void thereIsNoObjectToReadOrToDelete() throws IOException {
    for (String code : CODES) {
      Answer refusal = Answer.error(400, code, "no such name");
      assertThat(failure(refusal, store -> store.head("a"))).as(code).contains(Kind.NO_SUCH_KEY);
      assertThat(failure(refusal, store -> store.get("a", new ByteRange(0, 1), Optional.empty())))
          .as(code)
          .contains(Kind.NO_SUCH_KEY);
      assertThat(failure(refusal, store -> store.delete("a"))).as(code).isEmpty();
    }
  }

  @Test
  void thereIsNothingBelowAnObject() throws IOException {
    for (String code : List.of("XMinioParentIsObject", "ObjectParentIsFile")) {
      Answer refusal = Answer.error(409, code, "the parent is an object");
      assertThat(failure(refusal, store -> store.get("a/b", new ByteRange(0, 1), Optional.empty())))
          .as(code)
          .contains(Kind.NO_SUCH_KEY);
      assertThat(failure(refusal, store -> store.delete("a/b"))).as(code).isEmpty();
      assertThat(failure(refusal, store -> store.put("a/b", Body.empty(), Condition.NONE)))
          .as(code)
          .contains(Kind.PARENT_IS_OBJECT);
    }
  }

  @Test
  void writesFailByName() throws IOException {
    for (String code : CODES) {
      Answer refusal = Answer.error(400, code, "no such name");
      assertThat(failure(refusal, store -> store.put("a", Body.empty(), Condition.NONE)))
          .as(code)
          .contains(Kind.INVALID_REQUEST);
      assertThat(failure(refusal, store -> store.createUpload("a")))
          .as(code)
          .contains(Kind.INVALID_REQUEST);
    }
  }

  @Test
  void oneInABulkDeleteCountsAsDeleted() throws IOException {
    String answer =
        "<DeleteResult><Deleted><Key>a</Key></Deleted><Error><Key>b</Key>"
            + "<Code>XMinioInvalidObjectName</Code></Error></DeleteResult>";
    assertThat(
            failure(
                Answer.ok(answer),
                store ->
                    assertThat(Keys.deletePage(store, List.of("a", "b", "k".repeat(2000))))
                        .isEmpty()))
        .isEmpty();
  }
}
