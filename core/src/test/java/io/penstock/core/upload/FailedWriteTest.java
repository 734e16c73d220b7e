/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Condition;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes that fail at some step, after which nothing is published and nothing is left. */
class FailedWriteTest {
  private final Fixture s3 = new Fixture();

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
            "Set penstock.upload.buffer.dir to a directory with free space, or set"
                + " penstock.upload.buffer=array.");
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
}
