/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.latency.TransferSpeed;
import io.penstock.core.read.ObjectReader;
import io.penstock.core.read.ReadBudget;
import io.penstock.core.read.ReadConfig;
import io.penstock.core.read.ReadPolicy;
import io.penstock.core.read.Reads;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.SystemTime;
import io.penstock.core.time.VirtualTime;
import io.penstock.hadoop.stream.PenstockInputStream;
import io.penstock.hadoop.stream.VectoredRead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Reads a file in every way and order, and compares each read with an array. Large reads are split,
 * and the budget is too small for some. {@code -Dpenstock.stream.seed=N} repeats one run.
 */
class StreamModelTest {
  private static final int SIZE = 5_000_017;
  private static final int STEPS = 120;
  private static final int RUNS = 12;

  /** Three megabytes for all reads; windows from 4 to 64 KiB. */
  private static final ReadConfig CONFIG =
      new ReadConfig(1 << 10, 4 << 10, 64 << 10, 512, 1 << 16, 3 << 20);

  private final byte[] content = new byte[SIZE];
  private final InMemoryStore store =
      new InMemoryStore("lake", new VirtualTime(Instant.parse("2026-01-01T00:00:00Z")));
  private final ReadBudget budget = new ReadBudget();

  @ParameterizedTest
  @EnumSource(ReadPolicy.class)
  void everyReadGivesTheBytesOfTheFile(ReadPolicy policy) throws Exception {
    new Random(7).nextBytes(content);
    store.put("key", Body.ofBytes(content), Condition.NONE);
    Long given = Long.getLong("penstock.stream.seed");
    for (long seed = given == null ? 1 : given; seed <= (given == null ? RUNS : given); seed++) {
      String replay = policy + ", replay with -Dpenstock.stream.seed=" + seed;
      ExecutorService pool = Executors.newFixedThreadPool(4);
      try {
        run(new SplittableRandom(seed), policy, pool);
      } catch (IOException | RuntimeException | Error e) {
        throw new AssertionError(replay, e);
      } finally {
        pool.shutdown();
      }
      assertThat(pool.awaitTermination(1, TimeUnit.MINUTES)).as(replay).isTrue();
      assertThat(budget.usedBytes()).as(replay).isZero();
    }
    assertThat(budget.peakBytes()).isBetween(1L << 20, CONFIG.memoryMaxBytes() + (1 << 20));
  }

  private void run(SplittableRandom dice, ReadPolicy policy, ExecutorService pool)
      throws Exception {
    Reads reads = new Reads(CONFIG, budget, TransferSpeed.ofReads(), SystemTime.INSTANCE, 64);
    ObjectReader reader =
        ObjectReader.ofKnown(store, "key", SIZE, Optional.empty(), reads, policy, pool);
    reader.expectEnd(dice.nextInt(2 * SIZE));
    if (dice.nextBoolean()) {
      reader.expectSequence(dice.nextBoolean() ? 0 : dice.nextInt(SIZE));
    }
    VectoredRead vectored = new VectoredRead("key", reader, reads, pool, Optional.empty());
    try (var stream = new PenstockInputStream("key", reader, vectored, null)) {
      for (int step = 0; step < STEPS; step++) {
        step(stream, dice);
      }
    }
  }

  private void step(PenstockInputStream stream, SplittableRandom dice) throws Exception {
    long at = stream.getPos();
    switch (dice.nextInt(8)) {
      case 0 -> stream.seek(dice.nextInt(SIZE + 1));
      case 1 -> stream.seek(Math.min(SIZE, at + dice.nextInt(10_000)));
      case 2 -> assertThat(stream.read()).isEqualTo(at == SIZE ? -1 : content[(int) at] & 0xff);
      case 3 -> {
        for (int i = 0; i < 10; i++) {
          readOn(stream, 1 + dice.nextInt(20_000));
        }
      }
      case 4 -> readOn(stream, 1 + dice.nextInt(4_000_000));
      case 5 -> {
        int from = dice.nextInt(SIZE);
        byte[] into = new byte[3 + dice.nextInt(Math.min(SIZE - from, length(dice)))];
        int length = Math.min(into.length - 2, SIZE - from);
        stream.readFully(from, into, 1, length);
        assertIsContent(Arrays.copyOfRange(into, 1, 1 + length), from);
        assertThat(stream.getPos()).isEqualTo(at);
      }
      case 6 -> vectored(stream, dice);
      default -> stream.unbuffer();
    }
  }

  private void readOn(PenstockInputStream stream, int length) throws IOException {
    int at = (int) stream.getPos();
    byte[] into = new byte[length];
    int count = stream.read(into, 0, length);
    assertThat(count).isEqualTo(at == SIZE ? -1 : count).isLessThanOrEqualTo(SIZE - at);
    if (count > 0) {
      assertIsContent(Arrays.copyOf(into, count), at);
      assertThat(stream.getPos()).isEqualTo(at + count);
    } else {
      assertThat(at).isEqualTo(SIZE);
    }
  }

  private void vectored(PenstockInputStream stream, SplittableRandom dice) throws Exception {
    List<FileRange> ranges = new ArrayList<>();
    for (int at = dice.nextInt(SIZE / 2); at < SIZE && ranges.size() < 6; ) {
      int length = dice.nextInt(Math.min(SIZE - at, length(dice)) + 1);
      ranges.add(FileRange.createFileRange(at, length));
      at += length + dice.nextInt(2_000);
    }
    boolean isDirect = dice.nextBoolean();
    stream.readVectored(
        ranges, length -> isDirect ? ByteBuffer.allocateDirect(length) : heap(length));
    for (FileRange range : ranges) {
      ByteBuffer data = range.getData().get(1, TimeUnit.MINUTES);
      byte[] found = new byte[data.remaining()];
      data.get(found);
      assertThat(found).hasSize(range.getLength());
      assertIsContent(found, (int) range.getOffset());
    }
  }

  private static ByteBuffer heap(int length) {
    return ByteBuffer.allocate(length + 10); // longer than asked for
  }

  private static int length(SplittableRandom dice) {
    return dice.nextInt(4) == 0 ? 3_500_000 : 5_000;
  }

  /** Compares by one call, since AssertJ on Hadoop's class path compares by reflection. */
  private void assertIsContent(byte[] found, int from) {
    int differs = Arrays.mismatch(found, 0, found.length, content, from, from + found.length);
    assertThat(differs).as("the first of the bytes from %d on that differs", from).isEqualTo(-1);
  }
}
