/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.latency.TransferSpeed;
import io.penstock.core.read.ObjectReader;
import io.penstock.core.read.RangeMerger.Merged;
import io.penstock.core.read.ReadBudget;
import io.penstock.core.read.ReadConfig;
import io.penstock.core.read.ReadPolicy;
import io.penstock.core.read.Reads;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.SystemTime;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.FileRange;
import org.junit.jupiter.api.Test;

class VectoredReadTest {
  /** Ranges less than 10 apart are merged up to 100; the budget is 1000. */
  private static final ReadConfig CONFIG = new ReadConfig(10, 100, 800, 10, 100, 1000);

  private final InMemoryStore store =
      new InMemoryStore("lake", new VirtualTime(Instant.parse("2026-01-01T00:00:00Z")));
  private final ReadBudget budget = new ReadBudget();
  private final Queue<Runnable> pool = new ArrayDeque<>();
  private final byte[] content = new byte[10_000];

  private final Reads reads =
      new Reads(CONFIG, budget, TransferSpeed.ofReads(), SystemTime.INSTANCE, 64);

  private VectoredRead stream() throws IOException {
    return new VectoredRead("s3://lake/key", reader(), reads, pool::add, Optional.empty());
  }

  private ObjectReader reader() throws IOException {
    new Random(1).nextBytes(content);
    store.put("key", Body.ofBytes(content), Condition.NONE);
    return ObjectReader.ofKnown(
        store, "key", 10_000, Optional.empty(), reads, ReadPolicy.RANDOM, pool::add);
  }

  /** Two of 40, close together, in each of so many hundreds. */
  private static List<FileRange> ranges(int from, int count) {
    List<FileRange> ranges = new ArrayList<>();
    for (int i = from; i < from + count; i++) {
      ranges.add(FileRange.createFileRange(i * 100L, 40));
      ranges.add(FileRange.createFileRange(i * 100L + 45, 40));
    }
    return ranges;
  }

  private void assertRead(List<FileRange> ranges) throws Exception {
    for (FileRange range : ranges) {
      int start = (int) range.getOffset();
      ByteBuffer data = range.getData().get();
      byte[] bytes = new byte[data.remaining()];
      data.get(bytes);
      assertThat(bytes).isEqualTo(Arrays.copyOfRange(content, start, start + 40));
    }
  }

  @Test
  void whatIsUnderWayKeepsToTheBudgetAndTheRestWaitsWithoutAThread() throws Exception {
    List<List<FileRange>> all = new ArrayList<>();
    for (int stream = 0; stream < 5; stream++) {
      List<FileRange> ranges = ranges(stream * 20, 20);
      stream().start(ranges, ByteBuffer::allocate, bytes -> {});
      all.add(ranges);
    }
    // Each request is of 85 bytes; a bucket leaves a quarter to others.
    assertThat(pool).hasSize(8);
    assertThat(budget.fetches().waiting()).isEqualTo(92);
    while (!pool.isEmpty()) {
      assertThat(pool).hasSizeLessThanOrEqualTo(8);
      pool.remove().run();
    }
    for (List<FileRange> ranges : all) {
      assertRead(ranges);
    }
    assertThat(budget.peakBytes()).isEqualTo(8 * 85);
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void theMergedBytesAreGivenBackBeforeTheCallerGoesOn() throws Exception {
    List<FileRange> ranges = ranges(0, 1);
    List<Long> used = new ArrayList<>();
    stream()
        .start(
            ranges,
            length -> {
              used.add(budget.usedBytes());
              return ByteBuffer.allocate(length);
            },
            bytes -> {});
    var seen = ranges.get(0).getData().thenRun(() -> used.add(budget.usedBytes()));
    pool.remove().run();
    seen.get();
    assertThat(used).containsExactly(85L, 85L, 0L);
    assertRead(ranges);
  }

  @Test
  void aStreamThatIsClosedMakesNoFurtherRequests() throws Exception {
    List<FileRange> ranges = ranges(0, 20);
    PenstockInputStream stream = new PenstockInputStream("s3://lake/key", reader(), stream(), null);
    stream.readVectored(ranges, ByteBuffer::allocate);
    pool.remove().run();
    stream.close();
    store.delete("key"); // a request would fail in another way
    while (!pool.isEmpty()) {
      pool.remove().run();
    }
    assertRead(ranges.subList(0, 2));
    for (FileRange range : ranges.subList(2, ranges.size())) {
      assertThatThrownBy(() -> range.getData().get())
          .hasStackTraceContaining("the stream was closed");
    }
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void aStreamThatIsClosedFailsWhatIsUnderWay() throws Exception {
    List<FileRange> ranges = ranges(0, 1);
    VectoredRead read = stream();
    read.start(ranges, ByteBuffer::allocate, bytes -> {});
    read.close();
    for (FileRange range : ranges) {
      assertThat(range.getData()).isCompletedExceptionally();
    }
  }

  @Test
  void theBufferOfARangeThatHasFailedIsNotWritten() {
    ByteRange range = new ByteRange(0, 8);
    FileRange wanted = FileRange.createFileRange(0, 8);
    wanted.setData(new CompletableFuture<>());
    ByteBuffer buffer = ByteBuffer.allocate(8);
    RangeFiller filler =
        new RangeFiller(new Merged(range, List.of(range)), Map.of(range, wanted), length -> buffer);
    filler.allocate(range);
    filler.copy(0, new byte[] {1, 2}, 0, 2);
    filler.fail(new ByteRange(2, 8), new IOException("broken"));
    filler.copy(2, new byte[] {3, 4}, 0, 2);
    assertThat(buffer.array()).containsExactly(1, 2, 0, 0, 0, 0, 0, 0);
    assertThat(filler.isDone()).isTrue();
  }

  @Test
  void anAllocatorThatGivesTooLittleFailsTheRange() throws Exception {
    List<FileRange> ranges = ranges(0, 1);
    stream().start(ranges, length -> ByteBuffer.allocate(1), bytes -> {});
    pool.remove().run();
    assertThatThrownBy(() -> ranges.get(0).getData().get())
        .hasMessageContaining("the allocator gave a buffer of 1 bytes");
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void nothingIsHeldAfterAFailureOfTheStoreOrOfTheCaller() throws Exception {
    IntFunction<ByteBuffer> broken =
        length -> {
          throw new OutOfMemoryError("Direct buffer memory");
        };
    List<FileRange> first = ranges(0, 1);
    stream().start(first, broken, bytes -> {});
    pool.remove().run();
    assertThatThrownBy(() -> first.get(1).getData().get())
        .hasRootCauseInstanceOf(OutOfMemoryError.class);

    List<FileRange> second = ranges(0, 1);
    stream().start(second, ByteBuffer::allocate, bytes -> {});
    store.delete("key");
    pool.remove().run();
    assertThatThrownBy(() -> second.get(0).getData().get()).hasCauseInstanceOf(IOException.class);
    assertThat(budget.usedBytes()).isZero();
  }
}
