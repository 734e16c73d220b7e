/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ByteSink;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Operation;
import io.penstock.core.store.ReadResult;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.VirtualTime;
import java.io.EOFException;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An object of 3 MiB. Ranges of 1 MiB are passed on while they arrive. */
class PinnedObjectTest {
  private static final int SIZE = 3 << 20;
  private static final ByteRange RANGE = new ByteRange(1000, 1000 + (2 << 20));

  private final InMemoryStore bare =
      new InMemoryStore("lake", new VirtualTime(Instant.parse("2026-01-01T00:00:00Z")));
  private final byte[] content = new byte[SIZE];
  private final byte[] arrived = new byte[SIZE];
  private int landings;
  private ByteSink seen;
  private boolean isCut;

  private final StoreWrapper store =
      new StoreWrapper(bare) {
        @Override
        public ReadResult read(String key, ByteRange range, String etag, ByteSink sink)
            throws IOException {
          landings++;
          seen = sink;
          if (isCut) {
            sink.take(range.start(), content, (int) range.start(), 10);
            throw StoreException.of(Kind.CONNECTION_LOST, Operation.GET, key, "cut.");
          }
          return super.read(key, range, etag, sink);
        }
      };

  @BeforeEach
  void put() throws IOException {
    new Random(1).nextBytes(content);
    bare.put("key", Body.ofBytes(content), Condition.NONE);
  }

  private PinnedObject pinned() throws IOException {
    return new PinnedObject(store, "key", SIZE, Optional.of(bare.head("key").etag()));
  }

  private void take(long position, byte[] bytes, int offset, int length) {
    System.arraycopy(bytes, offset, arrived, (int) position, length);
  }

  private void assertArrived(ByteRange range) {
    int start = (int) range.start();
    int end = (int) range.end();
    assertThat(Arrays.equals(arrived, start, end, content, start, end)).isTrue();
  }

  @Test
  void largeRangesArePassedOnWithoutAnArray() throws IOException {
    pinned().read(RANGE, this::take);
    assertArrived(RANGE);
    assertThat(landings).isEqualTo(1);
  }

  @Test
  void smallRangesAndWholeObjectsComeInAnArray() throws IOException {
    ByteRange small = new ByteRange(0, (1 << 20) - 1);
    pinned().read(small, this::take);
    assertArrived(small);
    pinned().read(new ByteRange(0, SIZE), this::take);
    assertArrived(new ByteRange(0, SIZE));
    assertThat(landings).isZero();
  }

  @Test
  void beforeTheVersionIsKnownNothingIsPassedOnEarly() throws IOException {
    PinnedObject object = new PinnedObject(store, "key", SIZE, Optional.empty());
    object.read(RANGE, this::take);
    assertThat(landings).isZero();
    object.read(RANGE, this::take);
    assertThat(landings).isEqualTo(1);
    assertArrived(RANGE);
  }

  @Test
  void aLateAttemptWritesNothing() throws IOException {
    pinned().read(RANGE, this::take);
    Arrays.fill(arrived, (byte) 0);
    seen.take(RANGE.start(), content, (int) RANGE.start(), 10);
    assertThat(arrived).containsOnly(0);
  }

  @Test
  void anAttemptThatHasFailedWritesNothingMore() throws IOException {
    isCut = true;
    PinnedObject object = pinned();
    assertThatThrownBy(() -> object.read(RANGE, this::take)).hasMessageContaining("cut.");
    Arrays.fill(arrived, (byte) 0);
    seen.take(RANGE.start(), content, (int) RANGE.start(), 10);
    assertThat(arrived).containsOnly(0);
  }

  @Test
  void anObjectThatWasOverwrittenIsAnError() throws IOException {
    PinnedObject object = pinned();
    bare.put("key", Body.ofBytes(new byte[SIZE]), Condition.NONE);
    assertThatThrownBy(() -> object.read(RANGE, this::take))
        .isInstanceOf(ObjectChangedException.class)
        .hasMessageContaining("s3://lake/key was overwritten while it was read");
    assertThat(arrived).containsOnly(0);
  }

  @Test
  void anAnswerThatIsTooShortIsAnError() throws IOException {
    PinnedObject larger =
        new PinnedObject(
            new StoreWrapper(bare) {
              @Override
              public ReadResult read(String key, ByteRange range, String etag, ByteSink sink)
                  throws IOException {
                return super.read(key, new ByteRange(range.start(), range.end() - 1), etag, sink);
              }
            },
            "key",
            SIZE,
            Optional.of(bare.head("key").etag()));
    assertThatThrownBy(() -> larger.read(RANGE, this::take))
        .isInstanceOf(EOFException.class)
        .hasMessageContaining("returned 2097151 bytes instead of");
  }
}
