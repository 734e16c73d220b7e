/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.Settings;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.s3.RecordingServer.Answer;
import io.penstock.s3.RecordingServer.Received;
import java.io.IOException;
import java.util.Map;
import java.util.function.Function;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Deletions of an object that must have a certain ETag. */
class ConditionalDeletionTest {
  private static final Answer DONE = new Answer(204, Map.of(), null);

  private interface Call {
    void on(ObjectStore store) throws IOException;
  }

  private static RecordingServer asked(Function<Received, Answer> behaviour, Call call)
      throws IOException {
    RecordingServer server = RecordingServer.answering(behaviour);
    try (server;
        ObjectStore store =
            TestStores.open(
                "lake",
                Settings.of(
                    Map.of(
                        "penstock.endpoint",
                        server.http(),
                        "penstock.credentials",
                        "anonymous")))) {
      call.on(store);
    }
    return server;
  }

  @Test
  void theEtagIsSentAsIfMatch() throws IOException {
    RecordingServer server =
        asked(request -> DONE, store -> store.delete("key", Condition.ifMatch("abc")));
    assertThat(server.last().line()).isEqualTo("DELETE /lake/key");
    assertThat(server.last().header("If-Match")).isEqualTo("\"abc\"");
  }

  @Test
  void aPlainDeletionHasNoCondition() throws IOException {
    RecordingServer server = asked(request -> DONE, store -> store.delete("key"));
    assertThat(server.last().header("If-Match")).isNull();
  }

  @Test
  void aStoreThatDoesNotKnowTheHeaderDeletesWithoutIt() throws IOException {
    RecordingServer server =
        asked(
            request ->
                request.header("If-Match") == null
                    ? DONE
                    : Answer.error(501, "NotImplemented", "A header you provided"),
            store -> store.delete("key", Condition.ifMatch("abc")));
    assertThat(server.received()).hasSize(2);
  }

  @Test
  void aMissingObjectCountsAsDeletedAlsoWhereTheStoreReportsIt() throws IOException {
    asked(
        request -> Answer.error(404, "NoSuchKey", "The specified key does not exist."),
        store -> store.delete("key", Condition.ifMatch("abc")));
  }

  @Test
  void anotherObjectIsNotDeleted() throws IOException {
    asked(
        request -> Answer.error(412, "PreconditionFailed", "At least one of them did not hold"),
        store ->
            assertThatThrownBy(() -> store.delete("key", Condition.ifMatch("abc")))
                .asInstanceOf(InstanceOfAssertFactories.type(StoreException.class))
                .extracting(StoreException::kind)
                .isEqualTo(Kind.PRECONDITION_FAILED));
  }

  @Test
  void aMissingObjectMayAlsoFailTheCondition() throws IOException {
    asked(
        request ->
            request.method().equals("HEAD")
                ? new Answer(404, Map.of(), null)
                : Answer.error(412, "PreconditionFailed", "At least one of them did not hold"),
        store -> store.delete("key", Condition.ifMatch("abc")));
  }
}
