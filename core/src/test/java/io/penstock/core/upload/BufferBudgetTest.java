/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.upload.UploadConfig.Buffer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BufferBudgetTest {
  private static final int KIB = 1 << 10;
  private static final Duration LONG = Duration.ofMinutes(10);

  private final Fixture s3 = new Fixture();
  private final BufferBudget memory = new BufferBudget("upload.buffer.memory.max");
  private final BufferBudget disk = new BufferBudget("upload.buffer.disk.max");
  private final ExecutorService writers = Executors.newFixedThreadPool(8);
  private final ExecutorService pool = Executors.newFixedThreadPool(2);

  @AfterEach
  void stop() {
    writers.shutdownNow();
    pool.shutdownNow();
  }

  private Buffers buffers(long memoryMaxBytes, long diskMaxBytes) {
    return new Buffers(new UploadRoom(memory, disk), memoryMaxBytes, diskMaxBytes, LONG);
  }

  private static BufferBudget.Wish wish(long bytes, long maxBytes, String object) {
    return new BufferBudget.Wish(bytes, maxBytes, LONG, object);
  }

  private void awaitWaiting(BufferBudget budget, int count) {
    long rounds = 0;
    while (budget.waiting() != count) {
      assertThat(rounds++).as("%d of %d wait", budget.waiting(), count).isLessThan(100_000_000);
      Thread.onSpinWait();
    }
  }

  private ObjectStore gated(Semaphore gate, BufferBudget budget, AtomicLong most) {
    return new StoreWrapper(s3.store) {
      @Override
      protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
          throws IOException {
        gate.acquireUninterruptibly();
        most.accumulateAndGet(budget.usedBytes(), Math::max);
        return call.run();
      }
    };
  }

  /** Writes 200 pending objects by 8 threads while the store is blocked, then lets it go. */
  private void manyFilesWhileTheStoreIsSlow(
      UploadConfig config, int size, BufferBudget budget, long maxBytes, Buffers buffers)
      throws Exception {
    Semaphore gate = new Semaphore(0);
    AtomicLong most = new AtomicLong();
    Uploader uploader = new Uploader(gated(gate, budget, most), pool::execute, config, buffers);
    List<PendingWriter> opened = new ArrayList<>();
    List<Future<?>> written = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      PendingWriter writer = uploader.writePending("key-" + i, "job");
      opened.add(writer);
      written.add(
          writers.submit(
              () -> {
                writer.write(Fixture.content(size));
                writer.close();
                return null;
              }));
    }

    awaitWaiting(budget, 8);
    assertThat(budget.usedBytes()).isEqualTo(maxBytes);
    assertThat(written.stream().filter(Future::isDone)).hasSize(10);

    gate.release(1_000_000);
    for (Future<?> one : written) {
      one.get(30, TimeUnit.SECONDS);
    }
    for (PendingWriter writer : opened) {
      var pending = writer.pending().get(30, TimeUnit.SECONDS);
      s3.bare.completeUpload(pending, Condition.NONE);
    }
    assertThat(s3.keys()).hasSize(200);
    assertThat(s3.read("key-199")).isEqualTo(Fixture.content(size));
    assertThat(most.get()).isEqualTo(maxBytes);
    assertThat(memory.usedBytes()).isZero();
    assertThat(disk.usedBytes()).isZero();
  }

  @Test
  void manySmallFilesNeverHoldMoreMemoryThanAllowedWhileTheStoreIsSlow() throws Exception {
    // The smallest block on the heap takes 8 KiB.
    manyFilesWhileTheStoreIsSlow(
        Fixture.parts(100 * KIB, 4), 100, memory, 80 * KIB, buffers(80 * KIB, 1));
  }

  @Test
  void manyFilesNeverHoldMoreDiskThanAllowedWhileTheStoreIsSlow(@TempDir Path directory)
      throws Exception {
    int size = 1100 * KIB;
    manyFilesWhileTheStoreIsSlow(
        Fixture.onDisk(2048 * KIB, directory),
        size,
        disk,
        10L * size,
        buffers(1 << 30, 10L * size));
    try (var files = Files.newDirectoryStream(directory, "*.part")) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void onlyWhatIsOnTheHeapCountsAsMemory(@TempDir Path directory) throws IOException {
    Block block = onDisk(buffers(1 << 30, 1 << 30), directory);
    block.write(new byte[100 * KIB], 0, 100 * KIB);
    assertThat(memory.usedBytes()).as("128 KiB but the first 8").isEqualTo(120 * KIB);
    block.write(new byte[2048 * KIB], 0, 2048 * KIB);
    assertThat(memory.usedBytes()).isZero();
    block.handOver();
    assertThat(disk.usedBytes()).isEqualTo(2148 * KIB);
    block.discard();
    assertThat(disk.usedBytes()).isZero();
  }

  private static Block onDisk(Buffers buffers, Path directory) {
    return new Block(buffers, Buffer.DISK, directory, "s3://lake/key", 4096 * KIB);
  }

  @Test
  void whatIsLargerThanAllThereIsPassesAlone() {
    assertThat(BufferBudget.fits(1000, 0, 100)).isTrue();
    assertThat(BufferBudget.fits(1000, 1, 100)).isFalse();
    assertThat(BufferBudget.fits(60, 40, 100)).isTrue();
    assertThat(BufferBudget.fits(61, 40, 100)).isFalse();
    assertThat(BufferBudget.fits(1, 1000, 100)).isFalse();
  }

  @Test
  void aWriterWaitsOnlyWhileWhatIsUnderWayWillMakeRoom() throws Exception {
    assertThat(memory.tryToFill(80, 100)).isTrue();
    memory.moveUnderWay(30);
    assertThat(memory.waitToFill(wish(51, 100, "hopeless"))).as("50 are filled").isFalse();

    CompletableFuture<Boolean> first = fillLater(30);
    awaitWaiting(memory, 1);
    CompletableFuture<Boolean> second = fillLater(30);
    awaitWaiting(memory, 2);
    assertThat(memory.tryToFill(1, 100)).as("past those who wait").isFalse();
    memory.giveBack(30);

    assertThat(first.get(30, TimeUnit.SECONDS)).isTrue();
    assertThat(second.get(30, TimeUnit.SECONDS)).as("80 are filled now").isFalse();
    assertThat(memory.usedBytes()).isEqualTo(80);
    assertThat(memory.peakBytes()).isEqualTo(80);
  }

  private CompletableFuture<Boolean> fillLater(long bytes) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return memory.waitToFill(wish(bytes, 100, "later"));
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        },
        writers);
  }

  @Test
  void whoCameFirstIsServedFirstSoThatALargeBlockIsNotPassedForEver() throws Exception {
    memory.take(wish(60, 100, "first"));
    List<String> order = java.util.Collections.synchronizedList(new ArrayList<>());
    CompletableFuture<Void> large = takeLater(80, "large", order);
    awaitWaiting(memory, 1);
    CompletableFuture<Void> small = takeLater(10, "small", order);
    awaitWaiting(memory, 2);

    memory.giveBack(60);

    large.get(30, TimeUnit.SECONDS);
    small.get(30, TimeUnit.SECONDS);
    assertThat(order).containsExactlyInAnyOrder("large", "small");
    assertThat(memory.usedBytes()).isEqualTo(90);
  }

  private CompletableFuture<Void> takeLater(long bytes, String name, List<String> order) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            memory.take(wish(bytes, 100, name));
            order.add(name);
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        },
        writers);
  }

  @Test
  void aWaitHasACeilingAndSaysWhatItWaitedFor() throws IOException {
    memory.take(wish(60, 100, "first"));
    assertThatThrownBy(
            () -> memory.take(new BufferBudget.Wish(41, 100, Duration.ofNanos(1), "s3://lake/key")))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "s3://lake/key waited 0 s for room to buffer 41 bytes: the uploads of this process hold"
                + " 60 bytes, and penstock.upload.buffer.memory.max is 100. The store accepts parts"
                + " too slowly. Write with fewer tasks at once, or raise"
                + " penstock.upload.buffer.memory.max.");
    assertThat(memory.waiting()).isZero();
    memory.take(wish(40, 100, "next"));
  }

  @Test
  void aWaitIsInterruptible() throws IOException {
    memory.take(wish(60, 100, "first"));
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> memory.take(wish(41, 100, "s3://lake/key")))
        .isInstanceOf(InterruptedIOException.class)
        .hasMessageContaining("s3://lake/key");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(memory.waiting()).isZero();
  }

  @Test
  void memoryIsGivenBackWhenThereIsNoRoomOnDisk(@TempDir Path directory) throws IOException {
    disk.take(wish(60, 100, "first"));
    Buffers hasty = new Buffers(new UploadRoom(memory, disk), 1 << 30, 100, Duration.ofNanos(1));
    Block block = onDisk(hasty, directory);
    block.write(new byte[2048 * KIB], 0, 2048 * KIB);
    assertThatThrownBy(block::handOver).hasMessageContaining("penstock.upload.buffer.disk.max");
    block.discard();
    assertThat(memory.usedBytes()).isZero();
  }

  @Test
  void nothingIsHeldAfterAnyFailure() throws IOException {
    for (Operation operation : List.of(Operation.CREATE_UPLOAD, Operation.UPLOAD_PART)) {
      s3.store.reset();
      s3.store.failAlways(operation, Kind.ACCESS_DENIED);
      PendingWriter failed =
          new Uploader(s3.store, Runnable::run, Fixture.parts(10, 4), buffers(KIB, KIB))
              .writePending("key", "job");
      failed.write(Fixture.content(5));
      failed.close();
      assertThat(failed.pending()).isCompletedExceptionally();
      assertThat(memory.usedBytes()).as("%s", operation).isZero();
    }
    PendingWriter refused =
        new Uploader(
                s3.store,
                work -> {
                  throw new InternalError("unable to create native thread");
                },
                Fixture.parts(10, 4),
                buffers(KIB, KIB))
            .writePending("key", "job");
    refused.write(Fixture.content(5));
    refused.close();
    assertThat(refused.pending()).isCompletedExceptionally();
    assertThat(memory.usedBytes()).isZero();
  }
}
