/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.flush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.Settings;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.SuffixRange;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.SystemTime;
import io.penstock.core.upload.UploadConfig;
import io.penstock.core.upload.UploadRoom;
import io.penstock.core.upload.Uploader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GrowingObjectTest {
  private static final int MIB = 1 << 20;

  private final InMemoryStore bare = new InMemoryStore("lake", SystemTime.INSTANCE);
  private final FaultyStore store = new FaultyStore(bare);
  private final AtomicInteger ids = new AtomicInteger();
  private final GrowingObject object = growing();

  private GrowingObject growing() {
    Settings settings = Settings.of(Map.of());
    Uploader uploader =
        new Uploader(store, Runnable::run, UploadConfig.from(settings), new UploadRoom());
    return new GrowingObject(
        store,
        "log",
        uploader.write("log", Condition.NONE),
        () -> "write-" + ids.incrementAndGet());
  }

  private byte[] visible() throws IOException {
    return bare.get("log", new SuffixRange(1L << 30), Optional.empty()).bytes();
  }

  private static byte[] content(int size) {
    byte[] bytes = new byte[size];
    new SplittableRandom(size).nextBytes(bytes);
    return bytes;
  }

  @Test
  void withoutAFlushItIsOnePut() throws IOException {
    object.write(content(100));
    object.close();
    assertThat(store.log()).containsExactly("PUT log");
    assertThat(visible()).isEqualTo(content(100));
  }

  @Test
  void smallPublicationsArePutsOfTheWhole() throws IOException {
    object.write(content(10));
    object.publish();
    assertThat(visible()).isEqualTo(content(10));
    object.write(content(20));
    object.publish();
    object.publish();
    object.write(content(30));
    assertThat(visible()).hasSize(30);
    object.close();
    object.close();

    assertThat(visible()).hasSize(60).endsWith(content(30));
    // What was published first is read once; a flush without new bytes costs nothing.
    assertThat(store.log()).containsExactly("PUT log", "GET log", "PUT log", "PUT log");
    assertThat(object.publishedBytes()).isEqualTo(60);
  }

  @Test
  void largeOnesSendEachByteOnce() throws IOException {
    object.write(content(6 * MIB));
    object.publish();
    store.reset();
    object.write(content(10));
    object.publish();
    object.write(content(7));
    object.close();

    assertThat(store.log())
        .containsExactly(
            "CREATE_UPLOAD log",
            "COPY_PART log",
            "UPLOAD_PART log",
            "COMPLETE_UPLOAD log",
            "CREATE_UPLOAD log",
            "COPY_PART log",
            "UPLOAD_PART log",
            "COMPLETE_UPLOAD log");
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(content(6 * MIB));
    all.writeBytes(content(10));
    all.writeBytes(content(7));
    assertThat(java.util.Arrays.equals(visible(), all.toByteArray())).isTrue();
  }

  @Test
  void whatIsHeldIsBounded() throws IOException {
    object.write(1);
    object.publish();
    for (int i = 0; i < 20; i++) {
      object.write(content(MIB));
    }
    assertThat(visible().length).isGreaterThan(12 * MIB);
    object.close();
    assertThat(visible()).hasSize(20 * MIB + 1);
  }

  @Test
  void aPublicationThatFailsLosesNothing() throws IOException {
    object.write(content(10));
    object.publish();
    store.failBefore(Operation.PUT, 2, Kind.SERVER_ERROR);
    object.write(content(20));
    assertThatThrownBy(object::publish).isInstanceOf(StoreException.class);
    assertThat(visible()).hasSize(10);
    object.write(content(30));
    object.close();
    assertThat(visible()).hasSize(60);
  }

  @Test
  void anUploadThatFailsIsAborted() throws IOException {
    object.write(content(6 * MIB));
    object.publish();
    store.failBefore(Operation.COMPLETE_UPLOAD, 1, Kind.SERVER_ERROR);
    object.write(1);
    assertThatThrownBy(object::publish).isInstanceOf(StoreException.class);
    assertThat(bare.listUploads("", Optional.empty()).uploads()).isEmpty();
    object.close();
    assertThat(visible()).hasSize(6 * MIB + 1);
  }

  @Test
  void ofTwoWritersOneFails() throws IOException {
    object.write(content(10));
    object.publish();
    bare.put("log", Body.ofBytes(content(3)), Condition.NONE);
    object.write(content(20));

    assertThatThrownBy(object::publish)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.PRECONDITION_FAILED));
    assertThatThrownBy(() -> object.write(1)).hasMessageContaining("cannot be written any more");
    assertThatThrownBy(object::close).isInstanceOf(IOException.class);
    assertThat(visible()).as("the other writer's").isEqualTo(content(3));
  }

  @Test
  void aWriterOfALargeObjectLearnsWhoWasThere() throws IOException {
    object.write(content(6 * MIB));
    object.publish();
    bare.put("log", Body.ofBytes(content(3)), Condition.NONE);
    object.write(content(20));
    assertThatThrownBy(object::close)
        .hasMessageContaining("another writer has replaced or deleted the file");
    assertThat(visible()).isEqualTo(content(3));
    assertThat(bare.listUploads("", Optional.empty()).uploads()).isEmpty();
  }

  @Test
  void anObjectThatSomebodyDeletedDoesNotComeBack() throws IOException {
    object.write(content(10));
    object.publish();
    bare.delete("log");
    object.write(content(20));
    assertThatThrownBy(object::close).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> bare.head("log")).isInstanceOf(StoreException.class);
  }

  @Test
  void anAbortKeepsWhatIsPublished() throws IOException {
    object.write(content(10));
    object.publish();
    object.write(content(20));
    object.abort();
    object.close();
    assertThat(visible()).isEqualTo(content(10));
    assertThatThrownBy(() -> object.write(1)).hasMessageContaining("after it was closed");
  }

  @Test
  void anAbortWithoutAFlushLeavesNothing() throws IOException {
    object.write(content(10));
    object.abort();
    object.close();
    assertThat(store.log()).isEmpty();
  }

  @Test
  void writesGoOnWhileOthersPublish() throws Exception {
    Thread flusher =
        new Thread(
            () -> {
              try {
                for (int i = 0; i < 50; i++) {
                  object.publish();
                }
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    flusher.start();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < 2_000; i++) {
      byte[] bytes = content(i % 17 + 1);
      object.write(bytes);
      all.writeBytes(bytes);
    }
    flusher.join();
    object.close();
    assertThat(java.util.Arrays.equals(visible(), all.toByteArray())).isTrue();
  }
}
