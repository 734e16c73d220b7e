/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.memory.ArrayPool;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.upload.UploadConfig.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UploadMemoryTest {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;
  private static final int TASKS = 64;
  private static final int FILES_A_TASK = 100;

  @TempDir Path directory;
  private final Fixture s3 = new Fixture();
  private final BufferBudget memory = new BufferBudget("upload.buffer.memory.max");
  private final BufferBudget disk = new BufferBudget("upload.buffer.disk.max");
  private final ExecutorService tasks = Executors.newFixedThreadPool(TASKS);
  private final ExecutorService pool = Executors.newFixedThreadPool(4);

  @AfterEach
  void stop() {
    tasks.shutdownNow();
    pool.shutdownNow();
  }

  private Uploader uploader(Buffer mode, int partSizeBytes, long memoryMaxBytes) {
    UploadConfig config =
        new UploadConfig(
            partSizeBytes,
            2,
            false,
            mode,
            Optional.of(directory.toString()),
            memoryMaxBytes,
            1 << 30,
            Duration.ofMinutes(5));
    Buffers buffers =
        new Buffers(
            new UploadRoom(memory, disk), config.memoryMaxBytes(), 1 << 30, config.longestWait());
    return new Uploader(s3.store, pool::execute, config, buffers);
  }

  /** One task with all its files open at once, which it writes in turn, as partitionBy does. */
  private List<PendingWriter> task(Uploader uploader, String name, byte[] content)
      throws IOException {
    List<PendingWriter> open = new ArrayList<>();
    for (int file = 0; file < FILES_A_TASK; file++) {
      open.add(uploader.writePending(name + "/" + file, "job"));
    }
    int step = content.length / 2;
    for (int at = 0; at < content.length; at += step) {
      for (PendingWriter writer : open) {
        writer.write(content, at, Math.min(step, content.length - at));
      }
    }
    for (PendingWriter writer : open) {
      writer.close();
    }
    return open;
  }

  private void manyOpenFiles(Buffer mode) throws Exception {
    Uploader uploader = uploader(mode, 40 * KIB, 4 * MIB);
    byte[] content = Fixture.content(20 * KIB);
    List<Future<List<PendingWriter>>> written = new ArrayList<>();
    for (int task = 0; task < TASKS; task++) {
      String name = "task-" + task;
      written.add(tasks.submit(() -> task(uploader, name, content)));
    }
    for (Future<List<PendingWriter>> task : written) {
      for (PendingWriter writer : task.get(120, TimeUnit.SECONDS)) {
        PendingUpload upload = writer.pending().get(60, TimeUnit.SECONDS);
        assertThat(upload.sizeBytes()).isEqualTo(20 * KIB);
        s3.bare.completeUpload(upload, Condition.NONE);
      }
    }
    assertThat(memory.peakBytes()).isBetween(3L * MIB, 4L * MIB);
    assertNothingIsHeld();
    for (String key : List.of("task-0/0", "task-17/99", "task-63/50")) {
      assertThat(Arrays.equals(s3.read(key), content)).as(key).isTrue();
    }
  }

  private void assertNothingIsHeld() throws IOException {
    assertThat(memory.usedBytes()).isZero();
    assertThat(disk.usedBytes()).isZero();
    try (var files = Files.newDirectoryStream(directory, "*.part")) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void sixtyFourTasksOfAHundredOpenFilesKeepToTheBudgetInArrayMode() throws Exception {
    manyOpenFiles(Buffer.ARRAY);
  }

  @Test
  void sixtyFourTasksOfAHundredOpenFilesKeepToTheBudgetInDiskMode() throws Exception {
    manyOpenFiles(Buffer.DISK);
  }

  @Test
  void sixtyFourTasksOfAHundredOpenFilesKeepToTheBudgetByDefault() throws Exception {
    manyOpenFiles(Buffer.AUTO);
  }

  @Test
  void aSmallFileUsesNoFileAndNoMoreThanItsFirstBytes() throws IOException {
    try (ObjectWriter writer = uploader(Buffer.DISK, 5 * MIB, MIB).write("key", Condition.NONE)) {
      writer.write(Fixture.content(8 * KIB));
      assertNothingIsHeld();
    }
    assertThat(memory.peakBytes()).isZero();
    assertThat(s3.store.log()).containsExactly("PUT key");
  }

  @Test
  void anObjectWrittenByOnePutIsCountedUntilItIsThere() throws IOException {
    for (Buffer mode : Buffer.values()) {
      try (ObjectWriter writer = uploader(mode, 5 * MIB, 8 * MIB).write("key", Condition.NONE)) {
        writer.write(Fixture.content(MIB));
        assertThat(memory.usedBytes()).as("%s", mode).isEqualTo(MIB - 8 * KIB);
      }
      assertNothingIsHeld();
    }
  }

  @Test
  void nothingIsHeldAfterAnAbortAFailureOrASecondClose() throws Exception {
    for (Buffer mode : Buffer.values()) {
      for (int size : new int[] {5, 100 * KIB, 2 * MIB, 12 * MIB}) {
        Uploader uploader = uploader(mode, 5 * MIB, 64 * MIB);
        byte[] content = Fixture.content(size);

        ObjectWriter aborted = uploader.write("aborted", Condition.NONE);
        aborted.write(content);
        aborted.abort();
        aborted.close();
        assertNothingIsHeld();

        PendingWriter discarded = uploader.writePending("discarded", "job");
        discarded.write(content);
        discarded.discard();
        discarded.discard();
        assertNothingIsHeld();

        PendingWriter closed = uploader.writePending("closed", "job");
        closed.write(content);
        closed.close();
        closed.close();
        closed.discard();
        assertNothingIsHeld();

        for (Operation failing : List.of(Operation.PUT, Operation.UPLOAD_PART)) {
          s3.store.reset();
          s3.store.failAlways(failing, Kind.ACCESS_DENIED);
          try (ObjectWriter failed = uploader.write("failed", Condition.NONE)) {
            failed.write(content);
          } catch (IOException e) {
            assertThat(e).hasMessageContaining("ACCESS_DENIED");
          }
          assertNothingIsHeld();
        }
        s3.store.reset();
      }
    }
  }

  @Test
  void nothingIsHeldWhenAWriterCannotBuffer() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    UploadConfig config = Fixture.onDisk(8 * MIB, file.resolve("below"));
    Buffers buffers =
        new Buffers(new UploadRoom(memory, disk), 64 * MIB, 1 << 30, Duration.ofMinutes(1));
    ObjectWriter writer =
        new Uploader(s3.store, pool::execute, config, buffers).write("key", Condition.NONE);
    assertThatThrownBy(() -> writer.write(Fixture.content(2 * MIB)))
        .hasMessageStartingWith("cannot buffer an upload in ");
    assertThatThrownBy(writer::close).isInstanceOf(IOException.class);
    Files.delete(file);
    assertNothingIsHeld();
  }

  @Test
  void aPartOfAnySizeIsInMemoryWithoutACopy() throws IOException {
    // What limited a part in memory to 2 GiB was one array; chunks of 256 KiB are many.
    Chunks chunks = new Chunks(new ArrayPool(256 * KIB, 1));
    for (int i = 0; i < 40; i++) {
      chunks.add(256 * KIB);
      assertThat(chunks.write(new byte[MIB], 0, MIB)).isEqualTo(256 * KIB);
    }
    Body body = chunks.body();
    assertThat(body.sizeBytes()).isEqualTo(10 * MIB);
    try (var in = body.open()) {
      assertThat(in.readAllBytes()).hasSize(10 * MIB);
    }
  }
}
