/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.golden.Golden;
import io.penstock.core.store.Body;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TaskFilesTest {
  private static final String ETAG = "0123456789abcdef0123456789abcdef";

  private static TaskFile upload(String bucket, String key, int parts) {
    List<Part> sent = new ArrayList<>();
    for (int number = 1; number <= parts; number++) {
      sent.add(new Part(number, ETAG, 33_554_432L + number));
    }
    return new TaskUpload(
        bucket, new PendingUpload(new Upload(key, "upload-of-" + key.hashCode()), sent));
  }

  private static final TaskFiles SOME =
      new TaskFiles(
          List.of(
              upload("lake", "t/p=1/f.parquet", 1),
              upload("other.lake", "ünïcödé/語/😀 %+", 3),
              upload("lake", "k".repeat(1024), 2),
              new InlineFile("lake", "t/known-by-its-intent", 5, ETAG, Optional.empty())));

  @Test
  void whatIsWrittenIsReadAgain() throws IOException {
    for (TaskFiles uploads :
        List.of(
            new TaskFiles(List.of()),
            SOME,
            new TaskFiles(List.of(upload("lake", "big", 10_000))))) {
      assertThat(TaskFiles.fromBytes(uploads.toBytes())).isEqualTo(uploads);
    }
  }

  @Test
  void aMessageOfThisVersionIsReadForEver() throws IOException {
    byte[] kept = Golden.bytes("task-message-3", SOME.toBytes());
    assertThat(TaskFiles.fromBytes(kept)).isEqualTo(SOME);
  }

  @Test
  void theContentOfAnInlineFileIsReadAgainWithoutACopy() throws IOException {
    byte[] content = {1, 2, 3, 4, 5};
    TaskFile before = new InlineFile("lake", "t/f", 5, ETAG, Optional.of(Body.ofBytes(content)));
    TaskFile after = new InlineFile("lake", "t/g", 0, ETAG, Optional.of(Body.empty()));
    byte[] bytes = new TaskFiles(List.of(before, upload("lake", "u", 1), after)).toBytes();

    List<TaskFile> read = TaskFiles.fromBytes(bytes).files();
    Body first = ((InlineFile) read.get(0)).content().orElseThrow();
    assertThat(first.open().readAllBytes()).isEqualTo(content);
    assertThat(read.get(1)).isEqualTo(upload("lake", "u", 1));
    assertThat(((InlineFile) read.get(2)).content().orElseThrow().sizeBytes()).isZero();
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> TaskFiles.fromBytes(cut))
          .as("first %d bytes", length)
          .hasMessage("the list of a task's files is cut short");
    }
  }

  @Test
  void aFileOfOnePartTakes40BytesBesideItsKeyAndId() {
    String key = "table/day=2026-11-20/part-00017-0b3d7ad8-9c39-4c6c-8a3e-1f.c000.parquet";
    List<TaskFile> thousand = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      thousand.add(upload("lake", key, 1));
    }
    int named = 1000 * (key.length() + ("upload-of-" + key.hashCode()).length());
    assertThat(new TaskFiles(thousand).toBytes().length - named).isLessThan(40_000);
  }

  @Test
  void bytesCutShortAnywhereAreRefused() {
    byte[] bytes = SOME.toBytes();
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> TaskFiles.fromBytes(cut))
          .as("first %d bytes", length)
          .isInstanceOf(IOException.class)
          .hasMessage("the list of a task's files is cut short");
    }
  }

  @Test
  void anotherVersionIsRefusedWithWhatToDo() {
    byte[] bytes = SOME.toBytes();
    bytes[3]++;
    assertThatThrownBy(() -> TaskFiles.fromBytes(bytes))
        .hasMessage(
            "the data is not the list of a task's files, or comes from another version of Penstock;"
                + " use the same version on all nodes");
  }

  @Test
  void hugeCountsAreRefusedBeforeAnythingIsAllocated() {
    byte[] huge = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x7f};
    assertThatThrownBy(() -> TaskFiles.fromBytes(with(SOME.toBytes(), 4, huge)))
        .hasMessage("the list of a task's files is damaged: it has 34359738367 entries");
    byte[] endless = new byte[20];
    Arrays.fill(endless, (byte) 0xff);
    assertThatThrownBy(() -> TaskFiles.fromBytes(with(SOME.toBytes(), 4, endless)))
        .hasMessage("the list of a task's files is damaged: it has a number of more than 63 bits");
    byte[] one = new TaskFiles(List.of(upload("b", "k", 1))).toBytes();
    // 5 bytes of header, then bucket and key, each after a byte of length.
    int parts = 5 + 2 + 2;
    assertThatThrownBy(() -> TaskFiles.fromBytes(with(one, parts, huge)))
        .hasMessage("the list of a task's files is damaged: 34359738367 parts");
    assertThatThrownBy(() -> TaskFiles.fromBytes(with(one, 5, huge)))
        .hasMessage("the list of a task's files is cut short");
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
        TaskFiles.fromBytes(bytes);
      } catch (IOException e) {
        assertThat(e).as("seed %d", seed).hasMessageContaining("list of a task's files");
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }
}
