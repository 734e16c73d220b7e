/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Part;
import io.penstock.core.store.PendingUpload;
import io.penstock.core.store.Upload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TaskUploadsTest {
  private static final String ETAG = "0123456789abcdef0123456789abcdef";

  private static TaskUpload upload(String bucket, String key, int parts) {
    List<Part> sent = new ArrayList<>();
    for (int number = 1; number <= parts; number++) {
      sent.add(new Part(number, ETAG, 33_554_432L + number));
    }
    return new TaskUpload(
        bucket, new PendingUpload(new Upload(key, "upload-of-" + key.hashCode()), sent));
  }

  private static final TaskUploads SOME =
      new TaskUploads(
          List.of(
              upload("lake", "t/p=1/f.parquet", 1),
              upload("other.lake", "ünïcödé/語/😀 %+", 3),
              upload("lake", "k".repeat(1024), 2)));

  @Test
  void whatIsWrittenIsReadAgain() throws IOException {
    for (TaskUploads uploads :
        List.of(
            new TaskUploads(List.of()),
            SOME,
            new TaskUploads(List.of(upload("lake", "big", 10_000))))) {
      assertThat(TaskUploads.fromBytes(uploads.toBytes())).isEqualTo(uploads);
    }
  }

  @Test
  void aFileOfOnePartTakesAtMost200Bytes() {
    String key = "table/day=2026-11-20/part-00017-0b3d7ad8-9c39-4c6c-8a3e-1f.c000.parquet";
    List<TaskUpload> thousand = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      thousand.add(upload("lake", key, 1));
    }
    assertThat(new TaskUploads(thousand).toBytes().length).isLessThan(200_000);
  }

  @Test
  void bytesCutShortAnywhereAreRefused() {
    byte[] bytes = SOME.toBytes();
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> TaskUploads.fromBytes(cut))
          .as("first %d bytes", length)
          .isInstanceOf(IOException.class)
          .hasMessage("a task's pending uploads are cut short");
    }
  }

  @Test
  void anotherVersionIsRefusedWithWhatToDo() {
    byte[] bytes = SOME.toBytes();
    bytes[3]++;
    assertThatThrownBy(() -> TaskUploads.fromBytes(bytes))
        .hasMessage(
            "not a task's pending uploads, or of another Penstock version; use one on all nodes");
  }

  @Test
  void hugeCountsAreRefusedBeforeAnythingIsAllocated() {
    for (int count : new int[] {-1, Integer.MIN_VALUE, 10_000_001, Integer.MAX_VALUE}) {
      byte[] bytes = SOME.toBytes();
      ByteBuffer.wrap(bytes).putInt(4, count);
      assertThatThrownBy(() -> TaskUploads.fromBytes(bytes))
          .isInstanceOf(IOException.class)
          .hasMessage("a task's pending uploads are damaged: %d of them".formatted(count));
    }
    byte[] parts = new TaskUploads(List.of(upload("b", "k", 1))).toBytes();
    // 8 bytes of header, then bucket, key and upload id, each after two bytes of length.
    int at = 8 + 3 + 3 + 2 + ("upload-of-" + "k".hashCode()).length();
    for (int count : new int[] {-1, 0, 10_001, Integer.MAX_VALUE}) {
      ByteBuffer.wrap(parts).putInt(at, count);
      assertThatThrownBy(() -> TaskUploads.fromBytes(parts))
          .hasMessage("a task's pending uploads are damaged: %d parts".formatted(count));
    }
  }

  @Test
  void damagedBytesAreAnIoExceptionOrOtherUploadsButNothingElse() {
    byte[] good = SOME.toBytes();
    for (long seed = 1; seed <= 20_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = good.clone();
      if (random.nextInt(4) == 0) {
        bytes = new byte[random.nextInt(300)];
        random.nextBytes(bytes);
        System.arraycopy(good, 0, bytes, 0, Math.min(bytes.length, random.nextInt(8)));
      } else {
        for (int flips = random.nextInt(1, 5); flips > 0; flips--) {
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
      }
      try {
        TaskUploads.fromBytes(bytes);
      } catch (IOException e) {
        assertThat(e).as("seed %d", seed).hasMessageContaining("a task's pending uploads");
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }
}
