/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.Settings;
import io.penstock.core.endpoint.EndpointHealth;
import io.penstock.core.request.Repeat;
import io.penstock.core.retry.RetryConfig;
import io.penstock.core.sending.LayeredStores;
import io.penstock.core.sending.LostCreations;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PendingWriterTest {
  private final Fixture s3 = new Fixture();

  @Test
  void aSmallObjectIsAnUploadOfOnePartAndInvisibleUntilCompleted() throws Exception {
    PendingWriter writer = s3.uploader(10).writePending("key", "job");
    writer.write(Fixture.content(7));
    writer.close();

    PendingUpload pending = writer.pending().get();
    assertThat(s3.store.log()).containsExactly("CREATE_UPLOAD key", "UPLOAD_PART key");
    assertThat(s3.keys()).isEmpty();
    assertThat(pending.sizeBytes()).isEqualTo(7);

    s3.bare.completeUpload(pending, Condition.NONE);
    assertThat(s3.read("key")).isEqualTo(Fixture.content(7));
  }

  @Test
  void aRefusedKeyIsExplained() throws Exception {
    s3.store.failAlways(Operation.CREATE_UPLOAD, Kind.INVALID_REQUEST);
    PendingWriter writer = s3.uploader(10).writePending("t/p=" + "a".repeat(300), "job");
    writer.write(Fixture.content(7));
    writer.close();

    assertThatThrownBy(() -> writer.pending().get())
        .hasMessageContaining("…' has 302 bytes; many stores allow only 255.");
  }

  @Test
  void anEmptyObjectHasOneEmptyPart() throws Exception {
    PendingWriter writer = s3.uploader(10).writePending("key", "job");
    writer.close();

    PendingUpload pending = writer.pending().get();
    assertThat(pending.parts()).hasSize(1);
    assertThat(pending.sizeBytes()).isZero();
    s3.bare.completeUpload(pending, Condition.NONE);
    assertThat(s3.bare.head("key").sizeBytes()).isZero();
  }

  @Test
  void aLargeObjectIsSentWhileItIsWritten() throws Exception {
    PendingWriter writer = s3.uploader(10).writePending("key", "job");
    writer.write(Fixture.content(35));
    assertThat(s3.store.requests())
        .isEqualTo(Map.of(Operation.CREATE_UPLOAD, 1, Operation.UPLOAD_PART, 3));
    writer.close();

    s3.bare.completeUpload(writer.pending().get(), Condition.NONE);
    assertThat(s3.read("key")).isEqualTo(Fixture.content(35));
  }

  @Test
  void closeDoesNotWaitForTheLastPart() throws Exception {
    Queue<Runnable> later = new ArrayDeque<>();
    PendingWriter writer =
        new Uploader(s3.store, later::add, Fixture.parts(10, 4), new UploadRoom())
            .writePending("key", "job");
    writer.write(Fixture.content(5));

    writer.close();

    assertThat(writer.isClosed()).isTrue();
    assertThat(writer.pending()).isNotDone();
    assertThat(s3.store.log()).isEmpty();
    while (!later.isEmpty()) {
      later.remove().run();
    }
    assertThat(writer.pending()).isCompleted();
  }

  @Test
  void aPartThatFailsFailsThePendingUpload() throws IOException {
    s3.store.failBefore(Operation.UPLOAD_PART, 1, Kind.ACCESS_DENIED);
    PendingWriter writer = s3.uploader(10).writePending("key", "job");
    writer.write(1);
    writer.close();

    assertThatThrownBy(() -> writer.pending().get())
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("UPLOAD_PART s3://lake/key: scripted ACCESS_DENIED.");
    writer.discard();
    assertThat(s3.pendingUploads()).isEmpty();
  }

  @Test
  void discardDropsTheUploadOnceBeforeAndAfterClose() throws IOException {
    for (boolean closed : new boolean[] {false, true}) {
      s3.store.reset();
      PendingWriter writer = s3.uploader(10).writePending("key", "job");
      writer.write(Fixture.content(25));
      if (closed) {
        writer.close();
      }
      writer.discard();

      assertThat(s3.pendingUploads()).isEmpty();
      assertThat(s3.store.requests())
          .as("closed: %s", closed)
          .containsEntry(Operation.ABORT_UPLOAD, 1);
      assertThat(writer.pending()).isDone();
      assertThatThrownBy(() -> writer.write(1)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void whatIsWrittenAfterABugHasStruckIsNeverTakenForTheWhole() throws IOException {
    Buffers broken = new Buffers(new UploadRoom(null, null), 1, 1, null);
    Uploader uploader = new Uploader(s3.store, Runnable::run, Fixture.parts(10, 4), broken);
    PendingWriter pending = uploader.writePending("pending", "job");
    ObjectWriter visible = uploader.write("visible", Condition.NONE);
    for (BlockWriter writer : List.of(pending, visible)) {
      assertThatThrownBy(() -> writer.write(Fixture.content(15)))
          .isInstanceOf(NullPointerException.class);
      writer.write(1);
      assertThatThrownBy(writer::close)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("so nothing of the object is kept")
          .hasCauseInstanceOf(NullPointerException.class);
    }
    assertThat(pending.pending()).isCompletedExceptionally();
    assertThat(s3.store.log()).isEmpty();

    PendingWriter atClose = uploader.writePending("at close", "job");
    atClose.write(1);
    assertThatThrownBy(atClose::close).isInstanceOf(NullPointerException.class);
    assertThat(atClose.pending()).isCompletedExceptionally();
    assertThat(s3.keys()).isEmpty();
    assertThat(s3.pendingUploads()).isEmpty();
  }

  @Test
  void discardOfNothingWrittenCostsNothing() throws IOException {
    s3.uploader(10).writePending("key", "job").discard();
    assertThat(s3.store.log()).isEmpty();
  }

  /** Never waits and never gets on, so that only a cancellation ends the retries. */
  private static final class StandingTime implements Time {
    final CountDownLatch waits = new CountDownLatch(1);

    @Override
    public long nowNanos() {
      return 0;
    }

    @Override
    public Instant now() {
      return Instant.EPOCH;
    }

    @Override
    public void sleep(Duration duration) {
      waits.countDown();
    }
  }

  @Test
  void aDroppedUploadDoesNotWaitForTheRetriesOfItsParts() throws Exception {
    StandingTime time = new StandingTime();
    RetryConfig endless =
        RetryConfig.from(Settings.of(Map.of("fs.s3.aimd.maxAttempts", "1000000000")));
    ObjectStore retrying =
        LayeredStores.retrying(
            s3.store,
            LayeredStores.advising(Repeat.SHORTLY),
            endless,
            EndpointHealth.alone(),
            LostCreations.NONE,
            time,
            new SplittableRandom(7));
    s3.store.failAlways(Operation.UPLOAD_PART, Kind.THROTTLED);
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try {
      PendingWriter writer =
          new Uploader(retrying, pool::execute, Fixture.parts(10, 4), new UploadRoom())
              .writePending("key", "job");
      writer.write(Fixture.content(7));
      writer.close();
      assertThat(time.waits.await(60, TimeUnit.SECONDS)).isTrue();

      writer.drop().get(60, TimeUnit.SECONDS);

      assertThat(s3.pendingUploads()).isEmpty();
      assertThatThrownBy(() -> writer.pending().get())
          .hasMessageMatching(".*was (dropped|aborted)");
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void aPartThatNoThreadHasTakenYetIsGivenUpAtOnce() throws Exception {
    Queue<Runnable> queue = new ArrayDeque<>();
    PendingWriter writer =
        new Uploader(s3.store, queue::add, Fixture.parts(10, 1), new UploadRoom())
            .writePending("key", "job");
    writer.write(Fixture.content(10));
    writer.close(); // its only permit is held by the part

    CompletableFuture<Void> dropped = writer.drop();

    assertThatThrownBy(() -> writer.write(1)).hasMessageContaining("after it was closed");
    while (!queue.isEmpty()) {
      queue.remove().run();
    }
    assertThat(dropped).isCompleted();
    assertThat(s3.store.log()).isEmpty();
  }

  @Test
  void whoeverDropsDoesNotWaitForAStoreThatIsAway() throws Exception {
    CompletableFuture<Void> never = new CompletableFuture<>();
    AbortQueue.await(List.of(never), Duration.ofMillis(1));
    assertThat(never).isNotDone();
  }
}
