/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Condition;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskBlockTest {
  private static final int MIB = 1 << 20;

  @TempDir Path directory;
  private final Fixture s3 = new Fixture();

  private List<Path> files() throws IOException {
    try (Stream<Path> found = Files.walk(directory)) {
      return found.filter(Files::isRegularFile).toList();
    }
  }

  private Uploader uploader(long partSizeBytes) {
    return new Uploader(s3.store, Runnable::run, Fixture.onDisk(partSizeBytes, directory));
  }

  @Test
  void upToOneMebibyteStaysInMemory() throws IOException {
    DiskBlock block = new DiskBlock(directory);
    block.write(Fixture.content(MIB), 0, MIB);
    assertThat(files()).isEmpty();
    block.write(new byte[1], 0, 1);
    assertThat(files()).hasSize(1);
    block.discard();
    assertThat(files()).isEmpty();
  }

  @Test
  void whatWasSpilledIsReadBackAnyNumberOfTimes() throws IOException {
    byte[] content = Fixture.content(2 * MIB + 17);
    DiskBlock block = new DiskBlock(directory);
    block.write(content, 0, 500);
    block.write(content, 500, MIB);
    block.write(content, MIB + 500, MIB - 483);

    for (int reading = 0; reading < 2; reading++) {
      try (InputStream in = block.body().open()) {
        assertThat(Arrays.equals(in.readAllBytes(), content)).isTrue();
      }
    }
    assertThat(block.sizeBytes()).isEqualTo(2 * MIB + 17);
    block.discard();
    block.discard();
    assertThat(files()).isEmpty();
  }

  @Test
  void theDirectoryIsMadeWhenMissing() throws IOException {
    DiskBlock block = new DiskBlock(directory.resolve("a/b"));
    block.write(new byte[2 * MIB], 0, 2 * MIB);
    assertThat(files()).hasSize(1);
    block.discard();
  }

  @Test
  void noFileIsLeftOnceAnObjectIsWrittenAbortedOrFailed() throws IOException {
    try (ObjectWriter writer = uploader(3 * MIB).write("whole", Condition.NONE)) {
      writer.write(Fixture.content(2 * MIB));
      assertThat(files()).hasSize(1);
    }
    assertThat(files()).isEmpty();
    try (ObjectWriter writer = uploader(3 * MIB).write("parts", Condition.NONE)) {
      writer.write(Fixture.content(8 * MIB));
    }
    assertThat(files()).isEmpty();
    ObjectWriter aborted = uploader(3 * MIB).write("aborted", Condition.NONE);
    aborted.write(Fixture.content(8 * MIB));
    aborted.abort();
    assertThat(files()).isEmpty();
    PendingWriter discarded = uploader(3 * MIB).writePending("discarded");
    discarded.write(Fixture.content(8 * MIB));
    discarded.discard();
    assertThat(files()).isEmpty();
    assertThat(s3.keys()).containsExactly("parts", "whole");
  }

  @Test
  void noFileIsLeftWhenAPartFails() throws IOException {
    s3.store.failBefore(Operation.UPLOAD_PART, 1, Kind.ACCESS_DENIED);
    ObjectWriter writer = uploader(2 * MIB).write("key", Condition.NONE);

    assertThatThrownBy(() -> writer.write(Fixture.content(9 * MIB)))
        .hasMessageContaining("ACCESS_DENIED");
    assertThatThrownBy(writer::close).isInstanceOf(IOException.class);

    assertThat(files()).isEmpty();
    assertThat(s3.keys()).isEmpty();
  }

  @Test
  void partsGoToTheDirectoriesInTurn() throws IOException {
    Path one = directory.resolve("one");
    Path two = directory.resolve("two");
    Blocks blocks = new Blocks(Fixture.onDisk(MIB, Path.of(one + " , " + two)));
    for (int i = 0; i < 4; i++) {
      blocks.create().write(new byte[2 * MIB], 0, 2 * MIB);
    }
    assertThat(files().stream().filter(file -> file.startsWith(one))).hasSize(2);
    assertThat(files().stream().filter(file -> file.startsWith(two))).hasSize(2);
  }

  @Test
  void aDirectoryThatCannotBeUsedIsNamedWithWhatToDo() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    DiskBlock block = new DiskBlock(file.resolve("below"));

    assertThatThrownBy(() -> block.write(new byte[2 * MIB], 0, 2 * MIB))
        .hasMessageStartingWith("cannot buffer an upload in " + file + "/below: ")
        .hasMessageEndingWith(
            "Set upload.buffer.dir to a directory with space, or upload.buffer=array.");
    block.discard();
  }
}
