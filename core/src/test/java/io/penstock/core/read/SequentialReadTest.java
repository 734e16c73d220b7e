/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.caller.Cancellation;
import io.penstock.core.latency.TransferSpeed;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.time.SystemTime;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** A reader that reads on requests ranges before they are needed. */
class SequentialReadTest extends ObjectReaderFixture {
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
    Reads fromUnknown = new Reads(usual, budget, TransferSpeed.ofReads(), SystemTime.INSTANCE, 64);
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
}
