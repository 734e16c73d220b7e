/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.upload.UploadConfig.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockTest {
  private static final int MIB = 1 << 20;

  @TempDir Path directory;
  private final Fixture s3 = new Fixture();
  private final BufferBudget memory = new BufferBudget("upload.buffer.memory.max");
  private final BufferBudget disk = new BufferBudget("upload.buffer.disk.max");
  private final Buffers buffers =
      new Buffers(new UploadRoom(memory, disk), 8 * MIB, 64 * MIB, Duration.ofMinutes(1));

  private List<Path> files() throws IOException {
    try (Stream<Path> found = Files.walk(directory)) {
      return found.filter(file -> file.toString().endsWith(".part")).toList();
    }
  }

  private Block onDisk(Path where) {
    return new Block(buffers, Buffer.DISK, where, "s3://lake/key", 4 * MIB);
  }

  private Block array(long maxBytes) {
    return new Block(buffers, Buffer.ARRAY, directory, "s3://lake/key", maxBytes);
  }

  private Uploader uploader(long partSizeBytes) {
    return new Uploader(
        s3.store, Runnable::run, Fixture.onDisk(partSizeBytes, directory), new UploadRoom());
  }

  @Test
  void upToOneMebibyteStaysInMemory() throws IOException {
    Block block = onDisk(directory);
    block.write(Fixture.content(MIB), 0, MIB);
    assertThat(files()).isEmpty();
    block.write(new byte[1], 0, 1);
    assertThat(files()).hasSize(1);
    block.discard();
    assertThat(files()).isEmpty();
  }

  @Test
  void largeBlocksStayInMemoryUpToThreeQuartersOfItAndLeaveTheRestToSmallOnes() throws IOException {
    Block first = auto();
    first.write(Fixture.content(4 * MIB), 0, 4 * MIB);
    assertThat(memory.usedBytes()).isEqualTo(4 * MIB); // nothing more is needed to hand it over
    assertThat(files()).isEmpty();
    Block second = auto();
    second.write(Fixture.content(2 * MIB), 0, 2 * MIB);
    assertThat(files()).isEmpty();
    second.write(new byte[1], 0, 1);
    assertThat(files()).hasSize(1);
    Block small = auto();
    small.write(new byte[MIB], 0, MIB);
    assertThat(files()).hasSize(1);
    first.handOver();
    assertThat(memory.usedBytes()).isEqualTo(5 * MIB - Block.FIRST_BYTES);
    first.discard();
    Block third = auto();
    third.write(Fixture.content(4 * MIB), 0, 4 * MIB);
    assertThat(files()).hasSize(1);
    for (Block block : List.of(second, small, third)) {
      block.discard();
    }
    assertThat(memory.usedBytes()).isZero();
    assertThat(files()).isEmpty();
  }

  @Test
  void smallContentIsKeptBesideLargeBlocks() throws IOException {
    Block large = auto();
    large.write(new byte[4 * MIB], 0, 4 * MIB);
    assertThat(buffers.tryToKeep(2 * MIB, 0)).isTrue(); // a quarter
    assertThat(buffers.tryToKeep(1, 0)).isFalse();
    large.discard();
    assertThat(memory.usedBytes()).isEqualTo(2 * MIB);
    assertThat(buffers.tryToKeep(1, 0)).isFalse();
  }

  private Block auto() {
    return new Block(buffers, Buffer.AUTO, directory, "s3://lake/key", 4 * MIB);
  }

  @Test
  void whatWasSpilledIsReadBackAnyNumberOfTimes() throws IOException {
    byte[] content = Fixture.content(2 * MIB + 17);
    Block block = onDisk(directory);
    block.write(content, 0, 500);
    block.write(content, 500, MIB);
    block.write(content, MIB + 500, MIB - 483);

    block.handOver();
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
    Block block = onDisk(directory.resolve("a/b"));
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
    PendingWriter discarded = uploader(3 * MIB).writePending("discarded", "job");
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
    Blocks blocks = new Blocks(Fixture.onDisk(MIB, Path.of(one + " , " + two)), buffers);
    for (int i = 0; i < 4; i++) {
      blocks.create("s3://lake/key", 2 * MIB).write(new byte[2 * MIB], 0, 2 * MIB);
    }
    assertThat(files().stream().filter(file -> file.startsWith(one))).hasSize(2);
    assertThat(files().stream().filter(file -> file.startsWith(two))).hasSize(2);
  }

  @Test
  void aDirectoryThatCannotBeUsedIsNamedWithWhatToDo() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    Block block = onDisk(file.resolve("below"));

    assertThatThrownBy(() -> block.write(new byte[2 * MIB], 0, 2 * MIB))
        .hasMessageStartingWith("cannot buffer an upload in " + file + "/below: ")
        .hasMessageEndingWith(
            "Set penstock.upload.buffer.dir to a directory with free space, or set"
                + " penstock.upload.buffer=array.");
    block.discard();
  }

  @Test
  void whatIsInMemoryIsReadBackAnyNumberOfTimesHoweverItWasWritten() throws IOException {
    byte[] content = Fixture.content(3 * MIB + 17);
    for (int step : new int[] {1 << 10, 300_000, 3 * MIB + 17}) {
      Block block = array(4 * MIB);
      for (int at = 0; at < content.length; at += step) {
        block.write(content, at, Math.min(step, content.length - at));
      }
      block.handOver();
      for (int reading = 0; reading < 2; reading++) {
        try (InputStream in = block.body().open()) {
          assertThat(Arrays.equals(in.readAllBytes(), content)).as("step %d", step).isTrue();
        }
      }
      block.discard();
    }
    assertThat(memory.usedBytes()).isZero();
    assertThat(files()).isEmpty();
  }

  @Test
  void aBlockHoldsLittleMoreThanWhatIsWrittenAndCountsAllButItsFirstEightKibibytes()
      throws IOException {
    Block block = array(4 * MIB);
    block.write(new byte[8192], 0, 8192);
    assertThat(memory.usedBytes()).isZero();
    block.write(new byte[1], 0, 1);
    assertThat(memory.usedBytes()).isEqualTo(8192);
    block.write(new byte[8192], 0, 8192);
    assertThat(memory.usedBytes()).isEqualTo(8192 + 16384);
    block.write(new byte[2 * MIB - 16385], 0, 2 * MIB - 16385);
    assertThat(memory.usedBytes()).isEqualTo(2 * MIB - 8192);
    block.handOver();
    assertThat(memory.usedBytes()).isEqualTo(2 * MIB);
    block.discard();
    block.discard();
    assertThat(memory.usedBytes()).isZero();
  }

  @Test
  void aSmallBlockTakesNoMoreThanItsPartCanHold() throws IOException {
    Block block = array(10);
    block.write(new byte[10], 0, 10);
    block.handOver();
    assertThat(memory.usedBytes()).isEqualTo(10);
    block.discard();
  }

  @Test
  void aBodyDoesNotKeepTheMemoryOfABlockThatWasDiscarded() throws IOException {
    Block block = array(100);
    block.write(new byte[100], 0, 100);
    block.handOver();
    Body body = block.body();
    InputStream open = body.open();
    assertThat(open.read()).isZero();
    block.discard();
    assertThatThrownBy(open::read)
        .hasMessage("the buffer of this upload has already been released");
    assertThatThrownBy(() -> body.open().read()).isInstanceOf(IOException.class);
  }

  @Test
  void aBlockGoesToAFileAndGivesItsMemoryBackWhenBlocksThatAreWrittenHoldItAll()
      throws IOException {
    for (Buffer mode : Buffer.values()) {
      BufferBudget small = new BufferBudget("upload.buffer.memory.max");
      small.tryToFill(MIB, MIB);
      small.giveBackFilled(100 << 10);
      Buffers full = new Buffers(new UploadRoom(small, disk), MIB, 64 * MIB, Duration.ofMinutes(1));
      Block block = new Block(full, mode, directory, "s3://lake/key", 4 * MIB);
      byte[] content = Fixture.content(200 << 10);
      block.write(content, 0, 64 << 10);
      assertThat(files()).isEmpty();
      assertThat(small.usedBytes()).isEqualTo(MIB - (100 << 10) + (56 << 10));
      block.write(content, 64 << 10, 136 << 10);
      assertThat(files()).as("%s", mode).hasSize(1);
      assertThat(small.usedBytes()).as("the others'").isEqualTo(MIB - (100 << 10));
      block.handOver();
      assertThat(disk.usedBytes()).isEqualTo(200 << 10);
      try (InputStream in = block.body().open()) {
        assertThat(Arrays.equals(in.readAllBytes(), content)).as("%s", mode).isTrue();
      }
      block.discard();
      assertThat(disk.usedBytes()).isZero();
      assertThat(files()).isEmpty();
    }
  }

  @Test
  void aSmallBlockGoesToAFileWhenItIsSentAndThereIsNoMemory() throws IOException {
    memory.tryToFill(8 * MIB, 8 * MIB);
    Block block = onDisk(directory);
    block.write(Fixture.content(50), 0, 50);
    assertThat(files()).isEmpty();
    block.handOver();
    assertThat(files()).hasSize(1);
    assertThat(memory.usedBytes()).isEqualTo(8 * MIB);
    try (InputStream in = block.body().open()) {
      assertThat(in.readAllBytes()).isEqualTo(Fixture.content(50));
    }
    block.discard();
    assertThat(files()).isEmpty();
  }

  @Test
  void anArrayThatCannotGoToAFileSaysWhatToDo() throws IOException {
    memory.tryToFill(8 * MIB, 8 * MIB);
    Path file = Files.createFile(directory.resolve("file"));
    Block block = new Block(buffers, Buffer.ARRAY, file.resolve("below"), "s3://lake/key", 4 * MIB);
    assertThatThrownBy(() -> block.write(new byte[MIB], 0, MIB))
        .hasMessageEndingWith(
            "Set penstock.upload.buffer.dir to a directory with free space, or raise"
                + " penstock.upload.buffer.memory.max.");
    block.discard();
    assertThat(memory.usedBytes()).isEqualTo(8 * MIB);
  }
}
