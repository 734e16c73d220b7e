/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Part;
import io.penstock.core.store.PendingUpload;
import io.penstock.core.store.Upload;
import java.io.IOException;
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
  void aFileOfOnePartTakes40BytesBesideItsKeyAndId() {
    String key = "table/day=2026-11-20/part-00017-0b3d7ad8-9c39-4c6c-8a3e-1f.c000.parquet";
    List<TaskUpload> thousand = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      thousand.add(upload("lake", key, 1));
    }
    int named = 1000 * (key.length() + ("upload-of-" + key.hashCode()).length());
    assertThat(new TaskUploads(thousand).toBytes().length - named).isLessThan(40_000);
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
    byte[] huge = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x7f};
    assertThatThrownBy(() -> TaskUploads.fromBytes(with(SOME.toBytes(), 4, huge)))
        .hasMessage("a task's pending uploads are damaged: 34359738367 of them");
    byte[] endless = new byte[20];
    Arrays.fill(endless, (byte) 0xff);
    assertThatThrownBy(() -> TaskUploads.fromBytes(with(SOME.toBytes(), 4, endless)))
        .hasMessage("a task's pending uploads are damaged: a number of more than 63 bits");
    byte[] one = new TaskUploads(List.of(upload("b", "k", 1))).toBytes();
    // 5 bytes of header, then bucket, key and upload id, each after a byte of length.
    int parts = 5 + 2 + 2 + 1 + ("upload-of-" + "k".hashCode()).length();
    assertThatThrownBy(() -> TaskUploads.fromBytes(with(one, parts, huge)))
        .hasMessage("a task's pending uploads are damaged: 34359738367 parts");
    assertThatThrownBy(() -> TaskUploads.fromBytes(with(one, parts, new byte[] {0})))
        .hasMessage("a task's pending uploads are damaged: 0 parts");
    assertThatThrownBy(() -> TaskUploads.fromBytes(with(one, 5, huge)))
        .hasMessage("a task's pending uploads are cut short");
  }

  private static byte[] with(byte[] bytes, int at, byte[] others) {
    byte[] changed = Arrays.copyOf(bytes, Math.max(bytes.length, at + others.length));
    System.arraycopy(others, 0, changed, at, others.length);
    return changed;
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
