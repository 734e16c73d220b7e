/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.attempt.Cancellation;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.Range;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.SuffixRange;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.SystemTime;
import io.penstock.core.time.VirtualTime;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class ObjectReaderTest {
  /** Random reads of 10 at least, sequential ones from 100 up to 800. */
  private static final ReadConfig CONFIG = new ReadConfig(10, 100, 800, 1, 1, 1 << 20);

  private final ReadBudget budget = new ReadBudget();
  private final Reads reads = new Reads(CONFIG, budget, new ReadSpeed(), SystemTime.INSTANCE, 64);
  private final InMemoryStore bare =
      new InMemoryStore("lake", new VirtualTime(Instant.parse("2026-01-01T00:00:00Z")));
  private final FaultyStore store = new FaultyStore(bare);
  private final List<String> ranges = new ArrayList<>();
  private final ObjectStore recording =
      new StoreWrapper(store) {
        @Override
        public ObjectSlice get(String key, Range range, Optional<String> ifMatch)
            throws IOException {
          ranges.add(range.toHeader().substring("bytes=".length()));
          return super.get(key, range, ifMatch);
        }
      };

  private byte[] put(int length) throws IOException {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    bare.put("key", Body.ofBytes(content), Condition.NONE);
    return content;
  }

  private ObjectReader open(Range first, ReadPolicy policy) throws IOException {
    return ObjectReader.open(recording, "key", first, reads, policy, Runnable::run);
  }

  private ObjectReader known(long sizeBytes, Optional<String> etag, ReadPolicy policy) {
    return ObjectReader.ofKnown(recording, "key", sizeBytes, etag, reads, policy, Runnable::run);
  }

  private static byte[] readAll(ObjectReader reader, int step) throws IOException {
    byte[] all = new byte[Math.toIntExact(reader.sizeBytes())];
    int position = 0;
    for (int n = 0; n >= 0; position += Math.max(n, 0)) {
      n = reader.read(position, all, position, Math.min(step, all.length - position));
      if (n == 0) {
        break;
      }
    }
    assertThat(position).isEqualTo(all.length);
    return all;
  }

  @Test
  void aSmallObjectNothingIsKnownOfIsReadWholeByOneRequest() throws IOException {
    byte[] content = put(90);
    ObjectReader reader = open(new ByteRange(0, 100), ReadPolicy.ADAPTIVE);

    assertThat(reader.sizeBytes()).isEqualTo(90);
    assertThat(readAll(reader, 7)).isEqualTo(content);
    assertThat(reader.read(90, new byte[1], 0, 1)).isEqualTo(-1);
    assertThat(store.requests()).isEqualTo(Map.of(Operation.GET, 1));
  }

  @Test
  void openingBySuffixBringsSizeAndFooterByOneRequest() throws IOException {
    byte[] content = put(1000);
    ObjectReader reader = open(new SuffixRange(10), ReadPolicy.RANDOM);

    assertThat(reader.sizeBytes()).isEqualTo(1000);
    byte[] footer = new byte[8];
    assertThat(reader.read(992, footer, 0, 8)).isEqualTo(8);
    assertThat(footer).isEqualTo(Arrays.copyOfRange(content, 992, 1000));
    assertThat(ranges).containsExactly("-10");
  }

  @Test
  void anEmptyObjectTakesASecondRequest() throws IOException {
    put(0);
    ObjectReader reader = open(new ByteRange(0, 100), ReadPolicy.ADAPTIVE);
    assertThat(reader.sizeBytes()).isZero();
    assertThat(reader.read(0, new byte[1], 0, 1)).isEqualTo(-1);
    assertThat(store.log()).containsExactly("GET key", "HEAD key");
  }

  @Test
  void aMissingObjectFailsWhenItIsOpened() {
    assertThatThrownBy(() -> open(new ByteRange(0, 100), ReadPolicy.ADAPTIVE))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NO_SUCH_KEY));
  }

  @Test
  void anObjectWhoseSizeIsKnownIsOpenedWithoutARequest() throws IOException {
    byte[] content = put(50);
    ObjectReader reader = known(50, Optional.empty(), ReadPolicy.ADAPTIVE);
    assertThat(store.log()).isEmpty();
    assertThat(readAll(reader, 50)).isEqualTo(content);
    assertThat(ranges).containsExactly("0-49");
  }

  @Test
  void readingOnDoublesTheRangesAndReadsAheadBeforeItWaits() throws IOException {
    byte[] content = put(3000);
    ObjectReader reader = open(new ByteRange(0, 100), ReadPolicy.ADAPTIVE);

    assertThat(readAll(reader, 13)).isEqualTo(content);

    assertThat(ranges)
        .containsExactly("0-99", "300-699", "100-299", "700-1499", "1500-2299", "2300-2999");
  }

  @Test
  void whileOneRangeIsReadTheNextIsUnderWay() throws IOException {
    put(3000);
    ObjectReader reader = open(new ByteRange(0, 100), ReadPolicy.ADAPTIVE);
    reader.read(50, new byte[1], 0, 1);
    assertThat(ranges).containsExactly("0-99");
    reader.read(100, new byte[1], 0, 1);
    assertThat(ranges).containsExactly("0-99", "300-699", "100-299");
    reader.read(300, new byte[1], 0, 1);
    assertThat(ranges).containsExactly("0-99", "300-699", "100-299", "700-1499");
  }

  @Test
  void anAnnouncedSequenceIsReadAheadFromItsStart() throws IOException {
    put(3000);
    ObjectReader opened = open(new ByteRange(1000, 1100), ReadPolicy.ADAPTIVE);
    opened.expectSequence(1000);
    assertThat(ranges).containsExactly("1000-1099", "1100-1299");

    ranges.clear();
    ObjectReader known = known(3000, Optional.empty(), ReadPolicy.ADAPTIVE);
    known.expectSequence(500);
    assertThat(ranges).isEmpty();
    known.read(500, new byte[1], 0, 1);
    assertThat(ranges).containsExactly("600-799", "500-599");
  }

  @Test
  void aReaderThatBeginsElsewhereThanAnnouncedReadsNothingAhead() throws IOException {
    put(3000);
    ObjectReader reader = open(new ByteRange(0, 100), ReadPolicy.ADAPTIVE);
    reader.expectSequence(1000);
    assertThat(ranges).containsExactly("0-99");
    ObjectReader random = open(new ByteRange(0, 100), ReadPolicy.RANDOM);
    random.expectSequence(0);
    assertThat(ranges).containsExactly("0-99", "0-99");
  }

  @Test
  void aReaderHasAtMostEightTimesAsManyBytesAheadAsItHasRead() throws IOException {
    int mib = 1 << 20;
    put(64 * mib);
    ReadConfig usual = new ReadConfig(64 << 10, mib, 32L * mib, 1, 1, 256L * mib);
    Reads fromUnknown = new Reads(usual, budget, new ReadSpeed(), SystemTime.INSTANCE, 64);
    List<Runnable> later = new ArrayList<>();
    ObjectReader reader =
        ObjectReader.ofKnown(
            recording,
            "key",
            64L * mib,
            Optional.empty(),
            fromUnknown,
            ReadPolicy.ADAPTIVE,
            later::add);
    reader.expectSequence(0);
    reader.read(0, new byte[1], 0, 1);
    assertThat(later).as("of 2, 4 and 2 MiB").hasSize(3);
    assertThat(budget.usedBytes()).isEqualTo(9L * mib);
  }

  @Test
  void readsHereAndThereFetchTheSmallestRangeAndNothingAhead() throws IOException {
    byte[] content = put(3000);
    ObjectReader reader = known(3000, Optional.empty(), ReadPolicy.RANDOM);
    byte[] two = new byte[2];
    for (int position : new int[] {2000, 10, 1000, 1005, 2995}) {
      assertThat(reader.read(position, two, 0, 2)).isEqualTo(2);
      assertThat(two).isEqualTo(Arrays.copyOfRange(content, position, position + 2));
    }
    assertThat(ranges).containsExactly("2000-2009", "10-19", "1000-1009", "2990-2999");
  }

  @Test
  void whateverIsReadInWhateverOrderIsWhatWasWritten() throws IOException {
    byte[] content = put(5000);
    for (long seed = 1; seed <= 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      ReadPolicy policy = List.of(ReadPolicy.values()).get(random.nextInt(3));
      ObjectReader reader =
          random.nextBoolean()
              ? known(5000, Optional.empty(), policy)
              : open(new ByteRange(0, 100), policy);
      int position = 0;
      for (int read = 0; read < 100; read++) {
        position = random.nextInt(4) == 0 ? random.nextInt(5000) : Math.min(position, 4999);
        int wanted = random.nextInt(1, 400);
        byte[] bytes = new byte[wanted];
        int count = reader.read(position, bytes, 0, wanted);
        assertThat(count).as("seed %d, read %d", seed, read).isBetween(1, wanted);
        assertThat(Arrays.copyOf(bytes, count))
            .as("seed %d, read %d of %d at %d", seed, read, wanted, position)
            .isEqualTo(Arrays.copyOfRange(content, position, position + count));
        position += count;
      }
    }
  }

  @Test
  void whatIsBufferedCostsNothing() throws IOException {
    put(3000);
    ObjectReader reader = open(new ByteRange(0, 100), ReadPolicy.ADAPTIVE);
    assertThat(reader.buffered(40)).isEqualTo(60);
    assertThat(reader.buffered(100)).isZero();
    reader.release();
    assertThat(reader.buffered(40)).isZero();
  }

  @Test
  void anObjectThatWasReplacedIsAnErrorAndNeverAMix() throws IOException {
    put(3000);
    ObjectReader reader = open(new ByteRange(0, 100), ReadPolicy.ADAPTIVE);
    bare.put("key", Body.ofBytes(new byte[3000]), Condition.NONE);

    assertThatThrownBy(() -> reader.read(100, new byte[10], 0, 10))
        .isInstanceOf(ObjectChangedException.class)
        .hasMessage(
            "s3://lake/key was overwritten while it was read; read it again from the start");
    assertThatThrownBy(() -> fetch(reader, 0, 10)).isInstanceOf(ObjectChangedException.class);
  }

  @Test
  void aReplacementThatIsReadAheadIsAnErrorToo() throws IOException {
    put(3000);
    ObjectReader reader = known(3000, Optional.empty(), ReadPolicy.SEQUENTIAL);
    reader.read(0, new byte[100], 0, 100);
    reader.read(100, new byte[200], 0, 200);
    bare.put("key", Body.ofBytes(new byte[3000]), Condition.NONE);
    reader.read(300, new byte[1], 0, 1); // This was read ahead before the change.

    assertThatThrownBy(() -> reader.read(700, new byte[1], 0, 1))
        .isInstanceOf(ObjectChangedException.class);
  }

  @Test
  void anEtagKnownFromBeforeIsRequiredOfTheFirstBytes() throws IOException {
    put(100);
    String old = bare.head("key").etag();
    bare.put("key", Body.ofBytes(new byte[100]), Condition.NONE);

    ObjectReader reader = known(100, Optional.of(old), ReadPolicy.ADAPTIVE);

    assertThatThrownBy(() -> reader.read(0, new byte[1], 0, 1))
        .isInstanceOf(ObjectChangedException.class);
  }

  @Test
  void anObjectThatShrankIsAnError() throws IOException {
    put(20);
    ObjectReader reader = known(100, Optional.empty(), ReadPolicy.ADAPTIVE);
    assertThatThrownBy(() -> reader.read(0, new byte[1], 0, 1))
        .isInstanceOf(ObjectChangedException.class);
    ObjectReader past = known(100, Optional.empty(), ReadPolicy.ADAPTIVE);
    assertThatThrownBy(() -> past.read(50, new byte[1], 0, 1))
        .isInstanceOf(ObjectChangedException.class);
  }

  @Test
  void twoFirstFetchesAtOnceAreOfOneVersion() throws IOException {
    put(100);
    ObjectReader[] reader = new ObjectReader[1];
    boolean[] replaced = new boolean[1];
    ObjectStore overtaken =
        new StoreWrapper(bare) {
          @Override
          protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
              throws IOException {
            T answer = call.run();
            if (!replaced[0]) {
              // Between this answer and its arrival somebody replaces the object, and another
              // fetch, which was sent before the first one's ETag was known, is answered.
              replaced[0] = true;
              bare.put("key", Body.ofBytes(new byte[100]), Condition.NONE);
              fetch(reader[0], 50, 10);
            }
            return answer;
          }
        };
    reader[0] =
        ObjectReader.ofKnown(
            overtaken, "key", 100, Optional.empty(), reads, ReadPolicy.RANDOM, Runnable::run);

    assertThatThrownBy(() -> fetch(reader[0], 0, 10)).isInstanceOf(ObjectChangedException.class);
  }

  @Test
  void aSizeShorterThanTheObjectReadsOnlyThatMuch() throws IOException {
    byte[] content = put(1000);
    ObjectReader reader = known(250, Optional.empty(), ReadPolicy.SEQUENTIAL);

    assertThat(readAll(reader, 60)).isEqualTo(Arrays.copyOf(content, 250));
    assertThat(reader.read(250, new byte[1], 0, 1)).isEqualTo(-1);
    assertThat(ranges).containsExactly("0-99", "100-249");
    assertThatThrownBy(() -> fetch(reader, 245, 6))
        .isInstanceOf(EOFException.class)
        .hasMessage("bytes [245, 251) are past the end of s3://lake/key, which has 250");
  }

  @Test
  void aFetchIsOneRequestForJustThoseBytes() throws IOException {
    byte[] content = put(1000);
    ObjectReader reader = known(1000, Optional.empty(), ReadPolicy.ADAPTIVE);
    assertThat(fetch(reader, 17, 3)).isEqualTo(Arrays.copyOfRange(content, 17, 20));
    assertThat(ranges).containsExactly("17-19");
  }

  @Test
  void aReadAheadThatCannotStartOrDiesIsAFailureOfTheReadThatNeedsItOnly() throws IOException {
    byte[] content = put(3000);
    Executor exhausted =
        work -> {
          throw new InternalError("unable to create native thread");
        };
    ObjectReader reader =
        ObjectReader.open(
            recording, "key", new ByteRange(0, 100), reads, ReadPolicy.ADAPTIVE, exhausted);
    assertThat(reader.read(100, new byte[200], 0, 200)).isEqualTo(200);

    assertThatThrownBy(() -> reader.read(300, new byte[1], 0, 1))
        .isInstanceOf(IOException.class)
        .hasRootCauseInstanceOf(InternalError.class);

    byte[] one = new byte[1];
    assertThat(reader.read(300, one, 0, 1)).isEqualTo(1);
    assertThat(one[0]).isEqualTo(content[300]);
  }

  @Test
  void aReadThatIsCalledOffDoesNotWaitForItsReadAhead() throws IOException {
    put(3000);
    List<Runnable> neverRun = new ArrayList<>();
    ObjectReader reader =
        ObjectReader.open(
            recording, "key", new ByteRange(0, 100), reads, ReadPolicy.ADAPTIVE, neverRun::add);
    reader.read(100, new byte[200], 0, 200);
    assertThat(neverRun).hasSize(1);
    Cancellation killed = new Cancellation("the task was killed");

    assertThatThrownBy(
            () ->
                killed.run(
                    () -> {
                      killed.cancel();
                      return reader.read(300, new byte[1], 0, 1);
                    }))
        .isInstanceOf(InterruptedIOException.class)
        .hasMessage("the task was killed");
  }

  @Test
  void aFailureOfAReadAheadIsThatOfTheReadThatNeedsItAndTheNextTryMayGoWell() throws IOException {
    byte[] content = put(3000);
    ObjectReader reader = open(new ByteRange(0, 100), ReadPolicy.ADAPTIVE);
    store.failBefore(Operation.GET, 2, Kind.SERVER_ERROR); // [300, 700), before [100, 300)
    reader.read(100, new byte[200], 0, 200);

    assertThatThrownBy(() -> reader.read(300, new byte[1], 0, 1))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("SERVER_ERROR");

    byte[] one = new byte[1];
    assertThat(reader.read(300, one, 0, 1)).isEqualTo(1);
    assertThat(one[0]).isEqualTo(content[300]);
  }

  private static byte[] fetch(ObjectReader reader, int position, int length) throws IOException {
    byte[] into = new byte[length];
    reader.readInto(
        new ByteRange(position, position + length),
        (at, bytes, offset, count) ->
            System.arraycopy(bytes, offset, into, (int) at - position, count));
    return into;
  }
}
