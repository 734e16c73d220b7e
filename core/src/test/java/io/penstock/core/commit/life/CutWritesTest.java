/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.request.Attempt;
import io.penstock.core.sending.LayeredStores;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class CutWritesTest {
  private static final ObjectKey A = new ObjectKey("lake", "t/a");
  private static final ObjectKey B = new ObjectKey("lake", "t/b");
  private final StoreException lost =
      StoreException.of(Kind.CONNECTION_LOST, Operation.PUT, "s3://lake/t/a", "scripted.");

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final CutWrites writes = new CutWrites(time);
  private Runnable meanwhile = () -> {};

  private final ObjectStore store =
      LayeredStores.observed(
          new StoreWrapper(new InMemoryStore("lake", time)) {
            @Override
            protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
                throws IOException {
              meanwhile.run();
              throw lost;
            }
          },
          time,
          writes);

  /** One wait for a key. */
  private interface Wait {
    void run() throws InterruptedIOException;
  }

  private Duration took(Wait wait) throws InterruptedIOException {
    Instant start = time.now();
    wait.run();
    return Duration.between(start, time.now());
  }

  private void put() throws IOException {
    store.put("t/a", Body.empty(), Condition.NONE);
  }

  private void cut(ThrowingCallable write) {
    meanwhile = () -> Attempt.current().orElseThrow().cut("no answer within 2 s");
    assertThatThrownBy(write).isSameAs(lost);
    meanwhile = () -> {};
  }

  @Test
  void whatWasNotCutHereIsNotWaitedFor() throws IOException {
    assertThatThrownBy(this::put).isSameAs(lost);
    assertThat(took(() -> writes.awaitSettled(A))).isZero();
  }

  @Test
  void aPutThatWasCutIsWaitedForUnlessItCannotUndoWhatComes() throws IOException {
    cut(this::put);
    assertThat(took(() -> writes.awaitSettled(B))).isZero();
    assertThat(took(() -> writes.awaitDeletions(A))).isZero();
    assertThat(took(() -> writes.awaitSettled(A))).isEqualTo(UnansweredWrites.SETTLING);
    assertThat(took(() -> writes.awaitSettled(A))).isZero();
  }

  @Test
  void aDeletionThatWasCutIsWaitedForByEveryWrite() throws IOException {
    cut(() -> store.delete("t/a"));
    assertThat(took(() -> writes.awaitDeletions(A))).isEqualTo(UnansweredWrites.DELETE_SETTLING);
  }

  @Test
  void soIsABulkDeletionForEachOfItsKeys() throws IOException {
    cut(() -> store.deleteAll(List.of("t/b", "t/c")));
    assertThat(took(() -> writes.awaitSettled(A))).isZero();
    assertThat(took(() -> writes.awaitDeletions(B))).isEqualTo(UnansweredWrites.DELETE_SETTLING);
    assertThat(took(() -> writes.awaitSettled(new ObjectKey("lake", "t/c")))).isZero();
  }

  @Test
  void anAttemptWhoseThreadHasNotNoticedTheCutIsWaitedFor() {
    meanwhile =
        () -> {
          Attempt.current().orElseThrow().cut("another attempt was faster");
          // Under way for ever, so that the wait ends by its limit.
          assertThatThrownBy(
                  () -> {
                    throw new IOException(took(() -> writes.awaitSettled(A)).toString());
                  })
              .hasMessage(UnansweredWrites.DELETE_SETTLING.toString());
        };
    assertThatThrownBy(this::put).isSameAs(lost);
  }
}
