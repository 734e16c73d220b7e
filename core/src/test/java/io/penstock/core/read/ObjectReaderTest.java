/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.SuffixRange;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ObjectReaderTest extends ObjectReaderFixture {
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
        .hasMessage("bytes [245, 251) are past the end of s3://lake/key, which has 250 bytes");
  }

  @Test
  void aFetchIsOneRequestForJustThoseBytes() throws IOException {
    byte[] content = put(1000);
    ObjectReader reader = known(1000, Optional.empty(), ReadPolicy.ADAPTIVE);
    assertThat(fetch(reader, 17, 3)).isEqualTo(Arrays.copyOfRange(content, 17, 20));
    assertThat(ranges).containsExactly("17-19");
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
