/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PackedFilesTest {
  private static TaskFile upload(int number) {
    List<Part> parts = new ArrayList<>();
    for (int i = 1; i <= 1 + number % 3; i++) {
      parts.add(new Part(i, "etag-" + number, 5L << i));
    }
    return new TaskUpload(
        "lake" + number % 2,
        new PendingUpload(new Upload("t/part-" + number, "id" + number), parts));
  }

  private static List<TaskFile> uploads(int from, int to) {
    List<TaskFile> uploads = new ArrayList<>();
    for (int i = from; i < to; i++) {
      uploads.add(upload(i));
    }
    return uploads;
  }

  @Test
  void packedUploadsAreTheSameInTheSameOrder() {
    for (int count : new int[] {0, 1, 999, 1000, 1001, 2500}) {
      assertThat(PackedFiles.of(uploads(0, count))).isEqualTo(uploads(0, count));
    }
  }

  @Test
  void messagesOfTasksFollowEachOtherAlsoEmptyOnes() throws IOException {
    PackedFiles.Builder builder = new PackedFiles.Builder();
    int next = 0;
    for (int size : new int[] {0, 3, 0, 0, 1, 40, 0, 1, 1, 0}) {
      builder.add(new TaskFiles(uploads(next, next + size)).toBytes());
      next += size;
    }
    assertThat(builder.build()).isEqualTo(uploads(0, next));
  }

  @Test
  void tasksOfOneUploadEachNeedNoNumbers() throws IOException {
    PackedFiles.Builder builder = new PackedFiles.Builder();
    for (int i = 0; i < 300; i++) {
      builder.add(new TaskFiles(uploads(i, i + 1)).toBytes());
    }
    assertThat(builder.build()).isEqualTo(uploads(0, 300));
  }

  @Test
  void aDamagedMessageAddsNothing() throws IOException {
    PackedFiles.Builder builder = new PackedFiles.Builder();
    builder.add(new TaskFiles(uploads(0, 2)).toBytes());
    byte[] cut = Arrays.copyOf(new TaskFiles(uploads(2, 5)).toBytes(), 60);
    assertThatThrownBy(() -> builder.add(cut)).hasMessageContaining("cut short");
    builder.add(new TaskFiles(uploads(2, 4)).toBytes());
    assertThat(builder.build()).isEqualTo(uploads(0, 4));
  }

  @Test
  void aSetHasWhatWasAddedInTheOrderOfAll() {
    PackedFiles all = PackedFiles.of(uploads(0, 100));
    FileSet odd = FileSet.all(all).where(one -> one.key().matches(".*[13579]"));
    assertThat(odd).hasSize(50).startsWith(upload(1), upload(3)).doesNotContain(upload(2));
    assertThat(FileSet.all(all).without(odd)).hasSize(50).startsWith(upload(0), upload(2));
    FileSet some = FileSet.none(all);
    some.addAll(odd);
    some.numbered().forEach(some::add);
    assertThat(some).containsExactlyElementsOf(odd);
    assertThat(FileSet.none(all)).isEmpty();
  }
}
