/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.flush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.Settings;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.SuffixRange;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.store.parts.CopiedBeginning;
import io.penstock.core.time.SystemTime;
import io.penstock.core.upload.UploadConfig;
import io.penstock.core.upload.UploadRoom;
import io.penstock.core.upload.Uploader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files to which something is added. */
class AppendTest {
  private static final int MIB = 1 << 20;

  private final InMemoryStore bare = new InMemoryStore("lake", SystemTime.INSTANCE);
  private final FaultyStore store = new FaultyStore(bare);
  private final AtomicInteger ids = new AtomicInteger();
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  private static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    new SplittableRandom(size).nextBytes(bytes);
    return bytes;
  }

  private void thereAre(int size) throws IOException {
    bare.put("log", Body.ofBytes(bytes(size)), Condition.NONE);
    written.writeBytes(bytes(size));
  }

  private Uploader uploader() {
    UploadConfig config = UploadConfig.from(Settings.of(Map.of("penstock.upload.part.size", "6M")));
    return new Uploader(store, Runnable::run, config, new UploadRoom());
  }

  private FlushedWriter open() throws IOException {
    return FlushedWriter.append(
        store,
        bare.head("log"),
        uploader().append(bare.head("log")),
        () -> "write-" + ids.incrementAndGet());
  }

  private void write(FlushedWriter file, int size) throws IOException {
    file.write(bytes(size));
    written.writeBytes(bytes(size));
  }

  private byte[] visible() throws IOException {
    return bare.head("log").sizeBytes() == 0
        ? new byte[0]
        : bare.get("log", new SuffixRange(1L << 30), Optional.empty()).bytes();
  }

  private void assertAllIsVisible() throws IOException {
    assertThat(Arrays.equals(visible(), written.toByteArray())).isTrue();
  }

  @AfterEach
  void noUploadStays() throws IOException {
    assertThat(bare.listUploads("", Optional.empty()).uploads()).isEmpty();
  }

  @Test
  void aSmallFileIsReadAndPutAgain() throws IOException {
    thereAre(10);
    FlushedWriter file = open();
    assertThat(file.objectBytes()).isEqualTo(10);
    write(file, 20);
    file.close();
    assertAllIsVisible();
    assertThat(file.objectBytes()).isEqualTo(30);
    assertThat(store.log()).containsExactly("GET log", "PUT log");
  }

  @Test
  void aLargeFileIsCopiedByTheStore() throws IOException {
    thereAre(5 * MIB);
    FlushedWriter file = open();
    write(file, 20);
    file.close();
    assertAllIsVisible();
    assertThat(store.log())
        .containsExactly(
            "CREATE_UPLOAD log", "COPY_PART log", "UPLOAD_PART log", "COMPLETE_UPLOAD log");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5 * MIB - 1, 5 * MIB, 20 * MIB})
  void severalPartsMayBeAdded(int size) throws IOException {
    thereAre(size);
    FlushedWriter file = open();
    for (int i = 0; i < 14; i++) {
      write(file, MIB + i);
    }
    file.close();
    assertAllIsVisible();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 5 * MIB})
  void withoutAWriteNothingChanges(int size) throws IOException {
    thereAre(size);
    String etag = bare.head("log").etag();
    FlushedWriter file = open();
    assertThat(file.flushed()).isTrue();
    assertThat(file.show()).isTrue();
    file.close();
    assertThat(bare.head("log").etag()).isEqualTo(etag);
    assertThat(store.log()).doesNotContain("PUT log", "COMPLETE_UPLOAD log");
    assertAllIsVisible();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 5 * MIB})
  void readersSeeWhatWasFlushed(int size) throws IOException {
    thereAre(size);
    FlushedWriter file = open();
    for (int more : new int[] {20, 3 * MIB, 30, 4 * MIB, 40}) {
      write(file, more);
      assertThat(file.flushed()).isTrue();
      file.show();
      assertAllIsVisible();
    }
    write(file, 50);
    file.close();
    assertAllIsVisible();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 5 * MIB})
  void theSecondOfTwoWritersAddsNothing(int size) throws IOException {
    thereAre(size);
    FlushedWriter late = open();
    FlushedWriter file = open();
    late.write(bytes(1_000));
    write(file, 20);
    file.close();
    assertThatThrownBy(late::close)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.PRECONDITION_FAILED));
    assertAllIsVisible();
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 5 * MIB})
  void aWriterThatShowsIsFencedToo(int size) throws IOException {
    thereAre(size);
    FlushedWriter late = open();
    FlushedWriter file = open();
    write(file, 20);
    assertThat(file.flushed()).isTrue();
    file.show();
    late.write(bytes(1_000));
    assertThat(late.flushed()).isTrue();
    assertThatThrownBy(late::show).isInstanceOf(Preview.ReplacedException.class);
    assertThatThrownBy(late::close).hasMessageContaining("another writer has replaced or deleted");
    write(file, 30);
    file.close();
    assertAllIsVisible();
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 5 * MIB})
  void anAbortLeavesTheFileAsItWas(int size) throws IOException {
    thereAre(size);
    FlushedWriter file = open();
    file.write(bytes(7 * MIB));
    file.abort();
    assertAllIsVisible();
  }

  @Test
  void aCopyThatFailsLeavesTheFileAsItWas() throws IOException {
    thereAre(5 * MIB);
    store.failBefore(Operation.COPY_PART, 1, Kind.ACCESS_DENIED);
    assertThatThrownBy(this::open).hasMessageContaining("COPY_PART");
    assertAllIsVisible();
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 5 * MIB})
  void aFileThatIsReplacedBeforeItIsReadIsNotOpened(int size) throws IOException {
    thereAre(size);
    ObjectMeta old = bare.head("log");
    written.reset();
    thereAre(size + 1);
    assertThatThrownBy(() -> uploader().append(old))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.PRECONDITION_FAILED));
    assertAllIsVisible();
  }

  @Test
  void aFileThatWasAnotherOneForAWhileIsNotMixed() throws IOException {
    thereAre(5 * MIB);
    FlushedWriter file = open();
    bare.put("log", Body.ofBytes(bytes(6 * MIB)), Condition.NONE);
    write(file, 7 * MIB);
    bare.put("log", Body.ofBytes(bytes(5 * MIB)), Condition.NONE);
    file.close();
    assertAllIsVisible();
  }

  @Test
  void aLargeBeginningIsCopiedWithoutAGap() {
    for (long size : new long[] {5L * MIB, 1L << 30, (1L << 30) + 1, (5L << 40) - 7}) {
      CopiedBeginning copied = CopiedBeginning.of(size);
      assertThat(copied.start(0)).isZero();
      for (int part = 0; part < copied.parts(); part++) {
        assertThat(copied.start(part + 1) - copied.start(part)).isBetween(5L * MIB, 1L << 30);
      }
      assertThat(copied.start(copied.parts())).isEqualTo(size);
    }
  }
}
