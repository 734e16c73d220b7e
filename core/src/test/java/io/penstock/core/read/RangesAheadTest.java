/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.SystemTime;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A file of three groups of 400 bytes, of which a reader wants one after the other. */
class RangesAheadTest {
  private static final byte[] FILE = content();
  private static final List<ByteRange> FIRST = List.of(new ByteRange(4, 404));
  private static final List<ByteRange> SECOND = List.of(new ByteRange(404, 804));
  private static final List<ByteRange> THIRD = List.of(new ByteRange(804, 1204));

  private Runnable whileAsked = () -> {};
  private final FaultyStore store =
      new FaultyStore(
          new StoreWrapper(
              new InMemoryStore("lake", new VirtualTime(Instant.parse("2026-01-01T00:00:00Z")))) {
            @Override
            public ObjectSlice get(String key, Range range, Optional<String> ifMatch)
                throws IOException {
              whileAsked.run();
              return inner.get(key, range, ifMatch);
            }
          });
  private final ReadBudget budget = new ReadBudget();
  private final PrefetchPolicy guesses = new PrefetchPolicy();
  private final Queue<Runnable> pool = new ArrayDeque<>();
  private final List<ByteRange> there = new ArrayList<>();
  private final List<ByteRange> missing = new ArrayList<>();

  @BeforeEach
  void put() throws IOException {
    store.put("t/key", Body.ofBytes(FILE), Condition.NONE);
    store.reset();
  }

  private RangesAhead reader(long memoryMaxBytes) throws IOException {
    ReadConfig config = new ReadConfig(10, 100, 800, 10, 1000, memoryMaxBytes);
    Reads reads =
        new Reads(config, budget, TransferSpeed.ofReads(), guesses, SystemTime.INSTANCE, 64);
    return ObjectReader.ofKnown(
            store, "t/key", FILE.length, Optional.empty(), reads, ReadPolicy.RANDOM, pool::add)
        .rangesAhead(etag -> Optional.of(RangesAheadTest::next));
  }

  private static byte[] content() {
    byte[] content = new byte[1300];
    new Random(7).nextBytes(content);
    return content;
  }

  private static List<ByteRange> next(List<ByteRange> wanted) {
    return wanted.equals(FIRST) ? SECOND : wanted.equals(SECOND) ? THIRD : List.of();
  }

  private void runPool() {
    while (!pool.isEmpty()) {
      pool.remove().run();
    }
  }

  private long take(RangesAhead ahead, List<ByteRange> wanted) {
    return ahead.take(
        ahead.merged(wanted).get(0).range(),
        (piece, bytes) -> {
          assertThat(bytes)
              .isEqualTo(Arrays.copyOfRange(FILE, (int) piece.start(), (int) piece.end()));
          there.add(piece);
        },
        missing::add);
  }

  @Test
  void theNextRowGroupIsRequestedBeforeItIsAskedFor() throws IOException {
    RangesAhead ahead = reader(10_000);
    ahead.request(ahead.after(FIRST));
    runPool();
    assertThat(store.requests()).isEqualTo(Map.of(Operation.GET, 1));
    assertThat(budget.usedBytes()).isEqualTo(400);

    assertThat(ahead.after(SECOND)).isEqualTo(THIRD);
    assertThat(take(ahead, SECOND)).isEqualTo(804);
    assertThat(there).isEqualTo(SECOND);
    assertThat(budget.usedBytes()).isZero();

    ahead.drop();
    assertThat(ahead.after(THIRD)).isEmpty();
    assertThat(store.requests()).isEqualTo(Map.of(Operation.GET, 1));
  }

  @Test
  void bytesThatArriveLaterAreHandedOverThen() throws IOException {
    RangesAhead ahead = reader(10_000);
    whileAsked = () -> take(ahead, SECOND);
    ahead.request(ahead.after(FIRST));
    runPool();
    assertThat(there).isEqualTo(SECOND);
    assertThat(missing).isEmpty();
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void aRequestThatHasNotBegunIsLeftToTheReader() throws IOException {
    RangesAhead ahead = reader(10_000);
    ahead.request(ahead.after(FIRST));
    take(ahead, SECOND);
    runPool();
    assertThat(missing).isEqualTo(SECOND);
    assertThat(there).isEmpty();
    assertThat(store.requests()).isEmpty();
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void aRequestThatHasFailedIsLeftToTheReader() throws IOException {
    RangesAhead ahead = reader(10_000);
    ahead.request(ahead.after(FIRST));
    store.delete("t/key");
    runPool();
    take(ahead, SECOND);
    assertThat(missing).isEqualTo(SECOND);
    assertThat(there).isEmpty();
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void withoutMemoryNothingIsRequested() throws IOException {
    RangesAhead ahead = reader(500);
    ahead.request(ahead.after(FIRST));
    assertThat(pool).isEmpty();
    assertThat(take(ahead, SECOND)).isEqualTo(404);
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void aReaderThatIsClosedHoldsNothing() throws IOException {
    RangesAhead ahead = reader(10_000);
    List<ByteRange> next = ahead.after(FIRST);
    ahead.request(next);
    ahead.close();
    runPool();
    assertThat(store.requests()).isEmpty();
    assertThat(budget.usedBytes()).isZero();
    ahead.request(next);
    assertThat(pool).isEmpty();
  }

  @Test
  void aReaderThatIsClosedWantsNothingThatItHasTaken() throws IOException {
    RangesAhead ahead = reader(10_000);
    whileAsked =
        () -> {
          take(ahead, SECOND);
          ahead.close();
        };
    store.failAlways(Operation.GET, Kind.CONNECTION_LOST);
    ahead.request(ahead.after(FIRST));
    runPool();
    assertThat(there).isEmpty();
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void aReaderThatPausesRequestsNothing() throws IOException {
    RangesAhead ahead = reader(10_000);
    List<ByteRange> next = ahead.after(FIRST);
    ahead.pause();
    ahead.request(next);
    assertThat(pool).isEmpty();
  }

  @Test
  void theLastQuarterOfTheMemoryIsForRangesThatAreNeededNow() throws IOException {
    ReadBudget.Ask ask = new ReadBudget.Ask(600, 600, 600);
    budget.grow(ask, 0, 2000);
    budget.grow(ask, 0, 2000);
    RangesAhead ahead = reader(2000);
    ahead.request(ahead.after(FIRST));
    assertThat(pool).isEmpty();
  }

  @Test
  void aReaderThatIsFasterThanTheRequestForTheNextRowGroupGetsNoneTwice() throws IOException {
    RangesAhead ahead = reader(10_000);
    List<ByteRange> next = ahead.after(FIRST);
    ahead.after(SECOND); // before the first ranges told that they are there
    ahead.request(next);
    assertThat(pool).isEmpty();
  }

  @Test
  void aTableWhoseReadersLeaveRowGroupsOutIsGuessedLessAndLess() throws IOException {
    int guessed = 0;
    for (int i = 0; i < 1000; i++) {
      RangesAhead ahead = reader(10_000);
      List<ByteRange> next = ahead.after(FIRST);
      guessed += next.size();
      ahead.request(next);
      ahead.close();
      runPool();
    }
    // After 1, 2, 4, 8, 16, 32 chances left out, and then after 64 each.
    assertThat(guessed).isEqualTo(21);

    guesses.wasRight("t/p=1/other");
    assertThat(reader(10_000).after(FIRST)).isEqualTo(SECOND);
  }

  @Test
  void whatHasNoKnownOrderIsNotGuessed() throws IOException {
    RangesAhead ahead =
        ObjectReader.ofKnown(
                store,
                "t/key",
                FILE.length,
                Optional.empty(),
                new Reads(
                    new ReadConfig(10, 100, 800, 10, 1000, 10_000),
                    budget,
                    TransferSpeed.ofReads(),
                    SystemTime.INSTANCE,
                    64),
                ReadPolicy.RANDOM,
                pool::add)
            .rangesAhead(etag -> Optional.empty());
    assertThat(ahead.after(FIRST)).isEmpty();
  }
}
