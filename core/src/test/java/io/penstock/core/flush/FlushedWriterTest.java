/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.flush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.Settings;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.SuffixRange;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.SystemTime;
import io.penstock.core.upload.UploadConfig;
import io.penstock.core.upload.UploadRoom;
import io.penstock.core.upload.Uploader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FlushedWriterTest {
  private static final int MIB = 1 << 20;

  private final InMemoryStore bare = new InMemoryStore("lake", SystemTime.INSTANCE);
  private final FaultyStore store = new FaultyStore(bare);
  private final AtomicInteger ids = new AtomicInteger();
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final FlushedWriter file = file(Condition.NONE);

  private FlushedWriter file(Condition condition) {
    return file(store, condition, ids);
  }

  /** Returns a writer of the object {@code log}. */
  static FlushedWriter file(ObjectStore store, Condition condition, AtomicInteger ids) {
    UploadConfig config = UploadConfig.from(Settings.of(Map.of("penstock.upload.part.size", "6M")));
    Uploader uploader = new Uploader(store, Runnable::run, config, new UploadRoom());
    return new FlushedWriter(
        store,
        "log",
        uploader.write("log", condition),
        condition,
        () -> "write-" + ids.incrementAndGet());
  }

  private void write(int size) throws IOException {
    byte[] bytes = new byte[size];
    new SplittableRandom(size).nextBytes(bytes);
    file.write(bytes);
    written.writeBytes(bytes);
  }

  private void flush() throws IOException {
    assertThat(file.flushed()).isTrue();
    file.show();
  }

  private byte[] visible() throws IOException {
    return bare.get("log", new SuffixRange(1L << 30), Optional.empty()).bytes();
  }

  private void assertAllIsVisible() throws IOException {
    assertThat(Arrays.equals(visible(), written.toByteArray())).isTrue();
  }

  @Test
  void withoutAFlushItIsTheWriterAlone() throws IOException {
    write(100);
    file.close();
    assertThat(store.log()).containsExactly("PUT log");
    assertAllIsVisible();
  }

  @Test
  void whatWasFlushedIsVisible() throws IOException {
    write(10);
    flush();
    assertAllIsVisible();
    write(20);
    flush();
    assertAllIsVisible();
    flush();
    write(30);
    assertThat(visible()).hasSize(30);
    file.close();
    assertAllIsVisible();
    // A flush without new bytes costs nothing; the writer puts the whole at the end.
    assertThat(store.log()).containsExactly("PUT log", "PUT log", "PUT log");
  }

  @Test
  void aLargeFileIsExtendedInTheStore() throws IOException {
    write(5 * MIB);
    flush();
    write(3 * MIB);
    store.reset();
    flush();
    assertThat(store.log())
        .containsExactly(
            "CREATE_UPLOAD log", "COPY_PART log", "UPLOAD_PART log", "COMPLETE_UPLOAD log");
    assertAllIsVisible();
    write(100);
    flush();
    assertAllIsVisible();
    file.close();
    assertAllIsVisible();
    assertThat(bare.listUploads("", Optional.empty()).uploads()).isEmpty();
  }

  @Test
  void aFileThatGrowsFastIsShownAtItsEnd() throws IOException {
    write(10);
    flush();
    for (int i = 0; i < 33; i++) {
      write(MIB);
    }
    assertThat(file.flushed()).isFalse();
    file.show();
    assertThat(visible()).hasSize(10);
    file.close();
    assertAllIsVisible();
  }

  @Test
  void aFileThatIsFlushedLateIsShownAtItsEnd() throws IOException {
    write(39 * MIB);
    assertThat(file.flushed()).isFalse();
    file.close();
    assertAllIsVisible();
  }

  @Test
  void aViewThatFailsHarmsNothing() throws IOException {
    store.failBefore(Operation.PUT, 1, Kind.SERVER_ERROR);
    store.failBefore(Operation.PUT, 3, Kind.CONNECTION_LOST);
    write(10);
    assertThatThrownBy(this::flush).isInstanceOf(StoreException.class);
    write(20);
    flush();
    assertAllIsVisible();
    write(30);
    assertThatThrownBy(this::flush).isInstanceOf(StoreException.class);
    flush();
    assertAllIsVisible();
    file.close();
    assertAllIsVisible();
  }

  @Test
  void aViewWhoseAnswerIsLostIsRecognised() throws IOException {
    store.failAfter(Operation.PUT, 1, Kind.CONNECTION_LOST);
    store.failAfter(Operation.PUT, 3, Kind.SERVER_ERROR);
    write(10);
    assertThatThrownBy(this::flush).isInstanceOf(StoreException.class);
    write(20);
    flush();
    assertAllIsVisible();
    write(30);
    assertThatThrownBy(this::flush).isInstanceOf(StoreException.class);
    write(40);
    flush();
    assertAllIsVisible();
    file.close();
    assertAllIsVisible();
  }

  @Test
  void anExtensionWhoseAnswerIsLostIsRecognised() throws IOException {
    store.failAfter(Operation.COMPLETE_UPLOAD, 1, Kind.SERVER_ERROR);
    write(5 * MIB);
    flush();
    write(10);
    assertThatThrownBy(this::flush).isInstanceOf(StoreException.class);
    write(20);
    flush();
    assertAllIsVisible();
    file.close();
    assertAllIsVisible();
  }

  @Test
  void aFailedWriteMakesTheCloseFailAsEver() throws IOException {
    write(10);
    flush();
    store.failAlways(Operation.UPLOAD_PART, Kind.ACCESS_DENIED);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 40; i++) {
                write(MIB);
              }
              file.close();
            })
        .isInstanceOf(IOException.class);
    assertThatThrownBy(
            () -> {
              file.close();
              file.write(1);
            })
        .isInstanceOf(IOException.class);
    assertThat(visible()).as("what was flushed").hasSize(10);
  }

  @Test
  void aViewNeverReplacesAnotherWritersFileButTheCloseDoes() throws IOException {
    write(10);
    flush();
    bare.put("log", Body.ofBytes(new byte[3]), Condition.NONE);
    write(20);
    assertThatThrownBy(this::flush).hasMessageContaining("another writer has replaced or deleted");
    assertThat(visible()).hasSize(3);
    assertThat(file.flushed()).isFalse();
    file.close();
    assertAllIsVisible();
  }

  @Test
  void aNewFileStaysTheOneOfWhoeverMadeItFirst() throws IOException {
    FlushedWriter mine = file(Condition.IF_ABSENT);
    mine.write(new byte[10]);
    assertThat(mine.flushed()).isTrue();
    mine.show();
    FlushedWriter late = file(Condition.IF_ABSENT);
    late.write(new byte[4]);
    assertThatThrownBy(late::close).isInstanceOf(StoreException.class);
    mine.write(new byte[5]);
    mine.close();
    assertThat(visible()).hasSize(15);

    FlushedWriter third = file(Condition.IF_ABSENT);
    third.write(new byte[4]);
    assertThat(third.flushed()).isTrue();
    third.show();
    assertThat(third.flushed()).isFalse();
    assertThatThrownBy(third::close).isInstanceOf(IOException.class);
    assertThat(visible()).hasSize(15);
  }

  @Test
  void aFileThatIsThereStaysUntilTheCloseAndAfterAnAbort() throws IOException {
    bare.put("log", Body.ofBytes(new byte[3]), Condition.NONE);
    write(10);
    flush();
    assertThat(visible()).hasSize(3);
    assertThat(file.flushed()).isFalse();
    FlushedWriter other = file(Condition.NONE);
    other.write(new byte[4]);
    assertThat(other.flushed()).isTrue();
    other.show();
    other.abort();
    assertThat(visible()).hasSize(3);
    file.close();
    assertAllIsVisible();
  }

  @Test
  void whereUploadsHaveNoConditionsOnlyPutsAreShown() throws IOException {
    ObjectStore ceph =
        new StoreWrapper(store) {
          @Override
          public boolean supportsConditionalCompletes(String key) {
            return false;
          }
        };
    FlushedWriter mine = file(ceph, Condition.NONE, ids);
    mine.write(new byte[5 * MIB]);
    assertThat(mine.flushed()).isTrue();
    mine.show();
    mine.write(new byte[10]);
    mine.show();
    assertThat(mine.flushed()).isFalse();
    assertThat(visible()).hasSize(5 * MIB);
    mine.close();
    assertThat(visible()).hasSize(5 * MIB + 10);
  }

  @Test
  void afterAFailedWriteNothingMoreIsShown() throws IOException {
    write(10);
    flush();
    store.failAlways(Operation.UPLOAD_PART, Kind.ACCESS_DENIED);
    assertThatThrownBy(() -> write(60 * MIB)).isInstanceOf(IOException.class);
    assertThat(file.flushed()).isFalse();
    file.show();
    assertThat(visible()).hasSize(10);

    FlushedWriter other = file(Condition.NONE);
    assertThatThrownBy(() -> other.write(new byte[60 * MIB])).isInstanceOf(IOException.class);
    assertThat(other.flushed()).isFalse();
  }

  @Test
  void aNewFileWhoseLastViewIsUncertainIsCompleted() throws IOException {
    FlushedWriter mine = file(Condition.IF_ABSENT);
    store.failAfter(Operation.PUT, 1, Kind.CONNECTION_LOST);
    mine.write(new byte[10]);
    assertThat(mine.flushed()).isTrue();
    assertThatThrownBy(mine::show).isInstanceOf(StoreException.class);
    mine.write(new byte[5]);
    mine.close();
    assertThat(visible()).hasSize(15);
  }

  @Test
  void aStoreThatRefusesAViewIsAskedOnce() throws IOException {
    store.failAlways(Operation.PUT, Kind.ACCESS_DENIED);
    write(10);
    assertThatThrownBy(this::flush).isInstanceOf(StoreException.class);
    store.reset();
    write(20);
    assertThat(file.flushed()).isFalse();
    file.show();
    assertThat(store.log()).isEmpty();
    file.close();
    assertAllIsVisible();
  }

  @Test
  void anAbortLeavesWhatWasFlushed() throws IOException {
    write(10);
    flush();
    write(20);
    file.abort();
    file.show();
    assertThat(visible()).hasSize(10);
    assertThatThrownBy(() -> file.write(1)).isInstanceOf(IOException.class);
  }

  @Test
  void anAbortWithoutAFlushLeavesNothing() throws IOException {
    write(10);
    file.abort();
    file.close();
    assertThat(store.log()).isEmpty();
  }

  @Test
  void readersSeeABeginningWheneverTheyLook() throws Exception {
    write(1);
    assertThat(file.flushed()).isTrue();
    Thread shower =
        new Thread(
            () -> {
              try {
                for (int i = 0; i < 200; i++) {
                  file.show();
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    shower.start();
    for (int i = 0; i < 2_000; i++) {
      write(i % 17 + 1);
      if (i % 100 == 50
          && bare.list(io.penstock.core.store.ListRequest.flat("log")).objects().size() == 1) {
        byte[] seen = visible();
        assertThat(Arrays.equals(seen, Arrays.copyOf(written.toByteArray(), seen.length))).isTrue();
      }
    }
    file.close();
    shower.join();
    assertAllIsVisible();
  }
}
