/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.caller.Cancellation;
import io.penstock.core.latency.TransferSpeed;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.Operation;
import io.penstock.core.store.Range;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.SuffixRange;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.SystemTime;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReadMemoryTest {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;
  private static final int STREAMS = 64;

  private final InMemoryStore bare =
      new InMemoryStore("lake", new VirtualTime(Instant.parse("2026-01-01T00:00:00Z")));
  private Runnable whileAsked = () -> {};
  private final FaultyStore store =
      new FaultyStore(
          new StoreWrapper(bare) {
            @Override
            public ObjectSlice get(String key, Range range, Optional<String> ifMatch)
                throws IOException {
              whileAsked.run();
              return inner.get(key, range, ifMatch);
            }
          });
  private final ReadBudget budget = new ReadBudget();
  private final Queue<Runnable> later = new ArrayDeque<>();
  private final ExecutorService tasks = Executors.newFixedThreadPool(STREAMS);
  private final ExecutorService pool = Executors.newFixedThreadPool(16);

  @AfterEach
  void stop() {
    tasks.shutdownNow();
    pool.shutdownNow();
  }

  private byte[] put(int length) throws IOException {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    bare.put("key", Body.ofBytes(content), Condition.NONE);
    return content;
  }

  private ObjectReader reader(int sizeBytes, ReadConfig config, Executor executor) {
    return ObjectReader.ofKnown(
        store,
        "key",
        sizeBytes,
        Optional.empty(),
        new Reads(config, budget, TransferSpeed.ofReads(), SystemTime.INSTANCE, 64),
        ReadPolicy.SEQUENTIAL,
        executor);
  }

  /** Reads of 10 at least, sequential ones from 100 up to 800. */
  private static ReadConfig tiny(long memoryMaxBytes) {
    return new ReadConfig(10, 100, 800, 1, 1, memoryMaxBytes);
  }

  @Test
  void sixtyFourStreamsKeepToTheBudget() throws Exception {
    byte[] content = put(3 * MIB);
    ReadConfig config = new ReadConfig(4 * KIB, 64 * KIB, 512 * KIB, 1, 1, 4 * MIB);
    CyclicBarrier together = new CyclicBarrier(STREAMS);
    List<Future<?>> streams = new ArrayList<>();
    for (int i = 0; i < STREAMS; i++) {
      streams.add(
          tasks.submit(
              () -> {
                ObjectReader reader = reader(content.length, config, pool);
                byte[] buffer = new byte[8 * KIB];
                together.await(30, TimeUnit.SECONDS);
                for (int at = 0; at < content.length; ) {
                  int n = reader.read(at, buffer, 0, buffer.length);
                  assertThat(Arrays.equals(buffer, 0, n, content, at, at + n)).isTrue();
                  at += n;
                }
                reader.release();
                return null;
              }));
    }
    for (Future<?> stream : streams) {
      stream.get(120, TimeUnit.SECONDS);
    }
    assertThat(budget.peakBytes()).isBetween(2L * MIB, 4L * MIB + 64 * 4 * KIB);
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void aStreamWithoutRoomReadsOnByTheSmallestRangeAndNothingAhead() throws IOException {
    byte[] content = put(300);
    budget.take(new ReadBudget.Ask(1000, 1000, 1000), 0, 1000);
    ObjectReader reader = reader(300, tiny(1000), Runnable::run);
    byte[] all = new byte[300];
    for (int at = 0; at < 300; ) {
      int n = reader.read(at, all, at, 300 - at);
      assertThat(n).isEqualTo(10);
      at += n;
    }
    assertThat(all).isEqualTo(content);
    assertThat(store.requests()).isEqualTo(Map.of(Operation.GET, 30));
    assertThat(budget.peakBytes()).isEqualTo(1010);
    reader.readFully(17, all, 0, 100);
    assertThat(Arrays.copyOf(all, 100)).isEqualTo(Arrays.copyOfRange(content, 17, 117));
    assertThat(budget.usedBytes()).isEqualTo(1010);
    reader.release();
    assertThat(budget.usedBytes()).isEqualTo(1000);
  }

  @Test
  void anObjectThatIsOpenedWithoutRoomIsReadFromASmallerFirstRange() throws IOException {
    byte[] content = put(300);
    budget.take(new ReadBudget.Ask(900, 900, 900), 0, 1000);
    ObjectReader reader =
        ObjectReader.open(
            store,
            "key",
            new ByteRange(0, 100),
            new Reads(tiny(1000), budget, TransferSpeed.ofReads(), SystemTime.INSTANCE, 64),
            ReadPolicy.ADAPTIVE,
            Runnable::run);
    assertThat(reader.buffered(0)).isEqualTo(10);
    byte[] ten = new byte[10];
    assertThat(reader.read(0, ten, 0, 10)).isEqualTo(10);
    assertThat(ten).isEqualTo(Arrays.copyOf(content, 10));
    reader.release();
    assertThat(budget.usedBytes()).isEqualTo(900);
  }

  @Test
  void withoutRoomFewerOfTheLastBytesAreReadFirst() throws IOException {
    byte[] content = put(300);
    budget.take(new ReadBudget.Ask(900, 900, 900), 0, 1000);
    ObjectReader reader =
        ObjectReader.open(
            store,
            "key",
            new SuffixRange(250),
            new Reads(tiny(1000), budget, TransferSpeed.ofReads(), SystemTime.INSTANCE, 64),
            ReadPolicy.RANDOM,
            Runnable::run);
    assertThat(reader.buffered(280)).isZero();
    assertThat(reader.buffered(290)).isEqualTo(10);
    byte[] ten = new byte[10];
    assertThat(reader.read(290, ten, 0, 10)).isEqualTo(10);
    assertThat(ten).isEqualTo(Arrays.copyOfRange(content, 290, 300));
    reader.release();
    assertThat(budget.usedBytes()).isEqualTo(900);
  }

  @Test
  void anObjectSmallerThanItsFirstRangeHoldsOnlyItsOwnSize() throws IOException {
    put(30);
    ObjectReader reader =
        ObjectReader.open(
            store,
            "key",
            new ByteRange(0, 100),
            new Reads(tiny(1 << 20), budget, TransferSpeed.ofReads(), SystemTime.INSTANCE, 64),
            ReadPolicy.ADAPTIVE,
            Runnable::run);
    assertThat(budget.usedBytes()).isEqualTo(30);
    reader.release();
    reader.release();
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void nothingIsHeldAfterAnOpenThatFails() throws IOException {
    put(0);
    Reads reads =
        new Reads(tiny(1 << 20), budget, TransferSpeed.ofReads(), SystemTime.INSTANCE, 64);
    ByteRange first = new ByteRange(0, 100);
    ObjectReader.open(store, "key", first, reads, ReadPolicy.ADAPTIVE, Runnable::run);
    assertThat(budget.usedBytes()).isZero();
    assertThatThrownBy(
            () ->
                ObjectReader.open(
                    store, "missing", first, reads, ReadPolicy.ADAPTIVE, Runnable::run))
        .isInstanceOf(IOException.class);
    assertThat(budget.usedBytes()).isZero();
    assertThat(budget.peakBytes()).isEqualTo(100);
  }

  /** A stream whose buffer ends at 300, with [300, 700) under way. */
  private ObjectReader withReadAhead() throws IOException {
    ObjectReader reader = reader(3000, tiny(1 << 20), later::add);
    reader.read(0, new byte[100], 0, 100);
    reader.read(100, new byte[200], 0, 200);
    assertThat(later).hasSize(1);
    assertThat(budget.usedBytes()).isEqualTo(600);
    return reader;
  }

  @Test
  void aReadAheadIsCountedFromItsStartAndItsBufferWhenItIsReplaced() throws IOException {
    put(3000);
    ObjectReader reader = withReadAhead();
    later.remove().run();
    assertThat(budget.usedBytes()).isEqualTo(600);
    reader.read(300, new byte[1], 0, 1);
    assertThat(budget.usedBytes()).as("[300, 700) and, under way, [700, 1500)").isEqualTo(1200);
    whileAsked =
        () -> {
          reader.release();
          assertThat(budget.usedBytes()).as("the bytes under way").isEqualTo(800);
        };
    later.remove().run();
    assertThat(budget.usedBytes()).isZero();
    assertThat(store.requests()).isEqualTo(Map.of(Operation.GET, 4));
  }

  @Test
  void aReadAheadThatASeekDropsIsNotMadeAndGivenBackAtOnceIfItHasNotBegun() throws IOException {
    put(3000);
    ObjectReader reader = withReadAhead();
    reader.read(2000, new byte[1], 0, 1);
    assertThat(budget.usedBytes()).as("[2000, 2100)").isEqualTo(100);
    later.remove().run();
    assertThat(budget.usedBytes()).isEqualTo(100);
    assertThat(store.requests()).isEqualTo(Map.of(Operation.GET, 3));
  }

  @Test
  void theRequestOfADroppedReadAheadIsNotRepeated() throws IOException {
    put(3000);
    ObjectReader reader = withReadAhead();
    List<String> ends = new ArrayList<>();
    whileAsked =
        () -> {
          reader.release();
          try {
            Cancellation.checkCurrent(); // as the wait for a retry does
          } catch (InterruptedIOException e) {
            ends.add(e.getMessage());
          }
        };
    later.remove().run();
    assertThat(ends).containsExactly("the reader no longer needs the range");
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void aReadAheadThatFailsIsGivenBackAtOnce() throws IOException {
    put(3000);
    store.failBefore(Operation.GET, 3, Kind.SERVER_ERROR);
    ObjectReader reader = withReadAhead();
    later.remove().run();
    assertThat(budget.usedBytes()).isEqualTo(200);
    assertThatThrownBy(() -> reader.read(300, new byte[1], 0, 1))
        .hasMessageContaining("SERVER_ERROR");
    assertThat(budget.usedBytes()).isZero();
    assertThat(reader.read(300, new byte[1], 0, 1)).isEqualTo(1);
    reader.release();
    later.forEach(Runnable::run);
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void aReadThatFailsHoldsNothing() throws IOException {
    put(3000);
    store.failAlways(Operation.GET, Kind.ACCESS_DENIED);
    ObjectReader reader = reader(3000, tiny(1 << 20), later::add);
    assertThatThrownBy(() -> reader.read(0, new byte[1], 0, 1)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> reader.readFully(0, new byte[500], 0, 500))
        .isInstanceOf(IOException.class);
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void anInterruptedWaitForAReadAheadHoldsNothing() throws IOException {
    put(3000);
    ObjectReader reader = withReadAhead();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> reader.read(300, new byte[1], 0, 1))
        .hasMessage("interrupted while reading");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(budget.usedBytes()).isZero();
    later.forEach(Runnable::run);
    assertThat(budget.usedBytes()).isZero();
    assertThat(store.requests()).isEqualTo(Map.of(Operation.GET, 2));
  }

  @Test
  void aStreamThatIsNeverClosedHoldsNothingOnceItIsGarbage() throws Exception {
    put(3000);
    leak();
    for (int round = 0; budget.usedBytes() > 0; round++) {
      assertThat(round).as("collections").isLessThan(1000);
      System.gc();
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private void leak() throws IOException {
    var unused = withReadAhead();
    later.remove().run();
  }
}
