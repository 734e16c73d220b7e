/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ObjectWriterTest {
  private final Fixture s3 = new Fixture();

  private void write(byte[] content, int step) throws IOException {
    try (ObjectWriter writer = s3.uploader(10).write("key", Condition.NONE)) {
      for (int at = 0; at < content.length; at += step) {
        writer.write(content, at, Math.min(step, content.length - at));
      }
    }
  }

  @Test
  void anEmptyObjectIsOnePut() throws IOException {
    s3.uploader(10).write("key", Condition.NONE).close();
    assertThat(s3.store.log()).containsExactly("PUT key");
    assertThat(s3.bare.head("key").sizeBytes()).isZero();
  }

  @Test
  void anObjectOfAtMostOnePartIsOnePut() throws IOException {
    for (int size : new int[] {1, 9, 10}) {
      s3.store.reset();
      byte[] content = Fixture.content(size);
      write(content, 3);
      assertThat(s3.store.log()).as("%d bytes", size).containsExactly("PUT key");
      assertThat(s3.read("key")).isEqualTo(content);
    }
  }

  @Test
  void anObjectOfMoreIsSentInParts() throws IOException {
    byte[] content = Fixture.content(11);
    write(content, 4);
    assertThat(s3.store.log())
        .containsExactly(
            "CREATE_UPLOAD key", "UPLOAD_PART key", "UPLOAD_PART key", "COMPLETE_UPLOAD key");
    assertThat(s3.read("key")).isEqualTo(content);
  }

  @Test
  void aWholeNumberOfPartsHasNoEmptyOneAtItsEnd() throws IOException {
    write(Fixture.content(30), 30);
    assertThat(s3.store.requests())
        .isEqualTo(
            Map.of(
                Operation.CREATE_UPLOAD,
                1,
                Operation.UPLOAD_PART,
                3,
                Operation.COMPLETE_UPLOAD,
                1));
  }

  @Test
  void howTheBytesAreWrittenDoesNotShow() throws IOException {
    byte[] content = Fixture.content(57);
    for (int step = 1; step <= 57; step++) {
      write(content, step);
      assertThat(s3.read("key")).as("written %d bytes at a time", step).isEqualTo(content);
    }
  }

  @Test
  void singleBytesAreWrittenToo() throws IOException {
    try (ObjectWriter writer = s3.uploader(10).write("key", Condition.NONE)) {
      for (int i = 250; i < 270; i++) {
        writer.write(i);
      }
      assertThat(writer.writtenBytes()).isEqualTo(20);
    }
    assertThat(s3.read("key")).hasSize(20).startsWith(250, 251).endsWith(12, 13);
  }

  @Test
  void theConditionHoldsForPutAndForComplete() throws IOException {
    for (int size : new int[] {5, 25}) {
      s3.bare.put("key", Body.ofBytes(new byte[] {1}), Condition.NONE);
      ObjectWriter writer = s3.uploader(10).write("key", Condition.IF_ABSENT);
      writer.write(Fixture.content(size));

      assertThatThrownBy(writer::close)
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.PRECONDITION_FAILED));

      assertThat(s3.read("key")).containsExactly(1);
      assertThat(s3.pendingUploads()).isEmpty();
    }
  }

  @Test
  void nothingIsVisibleBeforeClose() throws IOException {
    ObjectWriter writer = s3.uploader(10).write("key", Condition.NONE);
    writer.write(Fixture.content(100));
    assertThat(s3.keys()).isEmpty();
    writer.close();
    assertThat(s3.keys()).containsExactly("key");
  }

  @Test
  void aWriteAfterCloseFailsAndASecondCloseDoesNothing() throws IOException {
    ObjectWriter writer = s3.uploader(10).write("key", Condition.NONE);
    writer.close();
    assertThatThrownBy(() -> writer.write(1)).hasMessage("write to key after it was closed");
    writer.close();
    assertThat(s3.store.log()).containsExactly("PUT key");
  }

  @Test
  void aPartThatFailedSurfacesAtTheNextPartAndNothingIsLeft() throws IOException {
    s3.store.failBefore(Operation.UPLOAD_PART, 2, Kind.ACCESS_DENIED);
    ObjectWriter writer = s3.uploader(10).write("key", Condition.NONE);

    assertThatThrownBy(() -> writer.write(Fixture.content(1000)))
        .hasMessage("UPLOAD_PART s3://lake/key: scripted ACCESS_DENIED.");
    assertThat(s3.store.requests()).containsEntry(Operation.UPLOAD_PART, 2);

    assertThatThrownBy(writer::close).isInstanceOf(IOException.class);
    assertThat(s3.keys()).isEmpty();
    assertThat(s3.pendingUploads()).isEmpty();
    assertThat(s3.store.requests()).containsEntry(Operation.ABORT_UPLOAD, 1);
  }

  @Test
  void aLastPartThatFailedSurfacesAtClose() throws IOException {
    s3.store.failBefore(Operation.UPLOAD_PART, 3, Kind.SERVER_ERROR);
    ObjectWriter writer = s3.uploader(10).write("key", Condition.NONE);
    writer.write(Fixture.content(30));

    assertThatThrownBy(writer::close)
        .hasMessage("UPLOAD_PART s3://lake/key: scripted SERVER_ERROR.");

    assertThat(s3.keys()).isEmpty();
    assertThat(s3.pendingUploads()).isEmpty();
  }

  @Test
  void aFailureAtAnyStepOfAnUploadLeavesNothing() {
    for (int step = 1; step <= 5; step++) {
      Fixture fresh = new Fixture();
      fresh.store.failStep(step, Kind.ACCESS_DENIED, false);
      assertThatThrownBy(
              () -> {
                try (ObjectWriter writer = fresh.uploader(10).write("key", Condition.NONE)) {
                  writer.write(Fixture.content(25));
                }
              })
          .as("step %d", step)
          .hasMessageContaining("ACCESS_DENIED");
      assertThat(fresh.keys()).as("step %d", step).isEmpty();
      assertThat(fresh.pendingUploads()).as("step %d", step).isEmpty();
    }
  }

  @Test
  void aFailedAbortIsToldBesideTheFirstFailure() throws IOException {
    s3.store
        .failBefore(Operation.COMPLETE_UPLOAD, 1, Kind.ACCESS_DENIED)
        .failBefore(Operation.ABORT_UPLOAD, 1, Kind.SERVER_ERROR);
    ObjectWriter writer = s3.uploader(10).write("key", Condition.NONE);
    writer.write(Fixture.content(25));

    assertThatThrownBy(writer::close)
        .hasMessageStartingWith("COMPLETE_UPLOAD")
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .singleElement()
                    .satisfies(s -> assertThat(s).hasMessageStartingWith("ABORT_UPLOAD")));
  }

  @Test
  void abortLeavesNothingAndCloseAfterwardsDoesNothing() throws IOException {
    ObjectWriter writer = s3.uploader(10).write("key", Condition.NONE);
    writer.write(Fixture.content(55));
    writer.abort();
    writer.close();
    assertThat(s3.keys()).isEmpty();
    assertThat(s3.pendingUploads()).isEmpty();
    assertThat(s3.store.requests()).containsEntry(Operation.ABORT_UPLOAD, 1);
  }

  @Test
  void abortOfASmallObjectCostsNothing() throws IOException {
    ObjectWriter writer = s3.uploader(10).write("key", Condition.NONE);
    writer.write(1);
    writer.abort();
    assertThat(s3.store.log()).isEmpty();
  }

  @Test
  void aWriterThatCouldNotBufferPublishesNothingWhenClosed(@TempDir Path directory)
      throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    UploadConfig config = Fixture.onDisk(8 << 20, file.resolve("below"));
    ObjectWriter writer =
        new Uploader(s3.store, Runnable::run, config, new UploadRoom())
            .write("key", Condition.NONE);
    writer.write(Fixture.content(1 << 20));

    assertThatThrownBy(() -> writer.write(1))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("cannot buffer an upload in " + file + "/below: ")
        .hasMessageEndingWith(
            "Set upload.buffer.dir to a directory with space, or upload.buffer=array.");
    assertThatThrownBy(writer::close).isInstanceOf(IOException.class);
    assertThat(s3.keys()).isEmpty();
  }

  /** A pool that has no threads left for its n-th work and all later. */
  private static Executor exhaustedAt(int number) {
    AtomicInteger count = new AtomicInteger();
    return work -> {
      if (count.incrementAndGet() >= number) {
        throw new InternalError("unable to create native thread");
      }
      work.run();
    };
  }

  @Test
  void anErrorWhileABlockIsHandedOverPublishesNothingAndLeavesNothing(@TempDir Path directory)
      throws IOException {
    int part = 2 << 20;
    for (int step = 1; step <= 4; step++) {
      UploadConfig config = Fixture.onDisk(part, directory);
      ObjectWriter writer =
          new Uploader(s3.store, exhaustedAt(step)::execute, config, new UploadRoom())
              .write("key", Condition.NONE);

      assertThatThrownBy(
              () -> {
                try (writer) {
                  writer.write(Fixture.content(2 * part + 1));
                }
              })
          .as("step %d", step)
          .satisfies(
              e ->
                  assertThat(e)
                      .satisfiesAnyOf(
                          failure -> assertThat(failure).isInstanceOf(InternalError.class),
                          failure ->
                              assertThat(failure).hasRootCauseInstanceOf(InternalError.class)));

      assertThat(s3.keys()).as("step %d", step).isEmpty();
      assertThat(s3.pendingUploads()).as("step %d", step).isEmpty();
      try (var files = Files.newDirectoryStream(directory, "*.part")) {
        assertThat(files).as("step %d", step).isEmpty();
      }
    }
  }

  @Test
  void aPartThatFailedWithAnErrorPublishesNothingWhenClosed() throws IOException {
    StoreWrapper broken = failing(new InternalError("Java heap space"));
    ObjectWriter parts =
        new Uploader(broken, Runnable::run, Fixture.parts(10, 4), new UploadRoom())
            .write("key", Condition.NONE);

    assertThatThrownBy(() -> parts.write(Fixture.content(100)))
        .hasRootCauseInstanceOf(InternalError.class);
    assertThatThrownBy(parts::close)
        .isInstanceOf(IOException.class)
        .hasRootCauseInstanceOf(InternalError.class);

    assertThat(s3.keys()).isEmpty();
    assertThat(s3.pendingUploads()).isEmpty();
  }

  @Test
  void anErrorOfTheOnePutIsThrownAndASecondCloseDoesNothing() throws IOException {
    ObjectWriter writer =
        new Uploader(
                failing(new IllegalStateException("a bug")),
                Runnable::run,
                Fixture.parts(10, 4),
                new UploadRoom())
            .write("key", Condition.NONE);
    writer.write(1);
    assertThatThrownBy(writer::close).hasMessage("a bug");
    writer.close();
    assertThat(s3.keys()).isEmpty();
  }

  /** A store whose content never arrives. */
  private StoreWrapper failing(Throwable failure) {
    return new StoreWrapper(s3.store) {
      @Override
      protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
          throws IOException {
        if (operation != Operation.UPLOAD_PART && operation != Operation.PUT) {
          return call.run();
        }
        if (failure instanceof Error error) {
          throw error;
        }
        throw (RuntimeException) failure;
      }
    };
  }

  @Test
  void anObjectWithAHoleIsNeverCompletedAfterAnInterrupt() throws Exception {
    Semaphore gate = new Semaphore(0);
    ExecutorService pool = Executors.newCachedThreadPool();
    try {
      ObjectStore gated = gatedParts(gate, new Semaphore(0), new InFlight());
      ObjectWriter writer =
          new Uploader(gated, pool::execute, Fixture.parts(10, 1), new UploadRoom())
              .write("key", Condition.NONE);
      writer.write(Fixture.content(20));
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> writer.write(Fixture.content(15)))
          .isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();
      gate.release(1000);

      assertThatThrownBy(writer::close).isInstanceOf(IOException.class);

      assertThat(s3.keys()).isEmpty();
      assertThat(s3.pendingUploads()).isEmpty();
    } finally {
      pool.shutdownNow();
    }
  }

  /** The most parts that were under way at once. */
  private static final class InFlight {
    private int now;
    private int most;

    synchronized void enter() {
      now++;
      most = Math.max(most, now);
    }

    synchronized void leave() {
      now--;
    }

    synchronized int most() {
      return most;
    }
  }

  private ObjectStore gatedParts(Semaphore gate, Semaphore entered, InFlight inFlight) {
    return new StoreWrapper(s3.store) {
      @Override
      protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
          throws IOException {
        if (operation != Operation.UPLOAD_PART) {
          return call.run();
        }
        inFlight.enter();
        entered.release();
        gate.acquireUninterruptibly();
        try {
          return call.run();
        } finally {
          inFlight.leave();
        }
      }
    };
  }

  @Test
  void neverMorePartsAreUnderWayThanAllowedAndTheWriterWaits() throws Exception {
    Semaphore gate = new Semaphore(0);
    Semaphore entered = new Semaphore(0);
    InFlight inFlight = new InFlight();
    byte[] content = Fixture.content(205);
    ExecutorService pool = Executors.newCachedThreadPool();
    try {
      ObjectStore gated = gatedParts(gate, entered, inFlight);
      CompletableFuture<Void> written =
          CompletableFuture.runAsync(
              () -> {
                try (ObjectWriter writer =
                    new Uploader(gated, pool::execute, Fixture.parts(10, 3), new UploadRoom())
                        .write("key", Condition.NONE)) {
                  writer.write(content);
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              },
              pool);
      for (int part = 1; part <= 21; part++) {
        assertThat(entered.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        assertThat(written).isNotDone();
        gate.release();
      }
      written.get(30, TimeUnit.SECONDS);
    } finally {
      pool.shutdownNow();
    }
    assertThat(inFlight.most()).isBetween(1, 3);
    assertThat(s3.read("key")).isEqualTo(content);
  }

  @Test
  void anUploadShapedLikeFiftyGigabytesTakes1246Parts() throws IOException {
    // 50 GB and parts of 32 MiB, both divided by 32,768.
    byte[] content = Fixture.content(1_525_879);
    try (ObjectWriter writer = s3.uploader(1024).write("key", Condition.NONE)) {
      writer.write(content);
    }
    assertThat(s3.store.requests())
        .isEqualTo(
            Map.of(
                Operation.CREATE_UPLOAD,
                1,
                Operation.UPLOAD_PART,
                1246,
                Operation.COMPLETE_UPLOAD,
                1));
    assertThat(Arrays.equals(s3.read("key"), content)).isTrue();
  }

  @Test
  void anObjectOfMoreThanTenThousandPartsIsRefusedWithWhatToChange() throws IOException {
    ObjectWriter writer = s3.uploader(1).write("key", Condition.NONE);
    writer.write(new byte[1_023_001]);

    assertThatThrownBy(writer::close)
        .hasMessage("s3://lake/key is larger than 10,000 parts hold; raise upload.part.size");
    assertThat(s3.keys()).isEmpty();
    assertThat(s3.pendingUploads()).isEmpty();
  }
}
