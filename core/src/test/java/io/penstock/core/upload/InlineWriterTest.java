/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Small files whose content stays with their writers until the task commits. */
class InlineWriterTest {
  private static final int MIB = 1 << 20;

  private final Fixture s3 = new Fixture();
  private final BufferBudget memory = new BufferBudget("upload.buffer.memory.max");
  private final Uploader uploader =
      new Uploader(
          s3.store,
          Runnable::run,
          new UploadConfig(
              8 * MIB,
              4,
              false,
              UploadConfig.Buffer.ARRAY,
              Optional.empty(),
              4 * MIB,
              MIB,
              Duration.ofMinutes(1)),
          new UploadRoom(memory, new BufferBudget("upload.buffer.disk.max")));

  private PendingWriter write(int bytes, InlineBudget budget) throws IOException {
    PendingWriter writer = uploader.writePending("key-" + bytes, "job", budget);
    writer.write(Fixture.content(bytes));
    writer.close();
    return writer;
  }

  @Test
  void aSmallFileMakesNoRequestAndHoldsItsSizeOfMemory() throws IOException {
    PendingWriter writer = write(100_000, new InlineBudget(MIB, MIB));
    assertThat(memory.usedBytes()).isEqualTo(100_000);
    InlineContent content = writer.takeInline().orElseThrow();
    assertThat(content.bytes()).isEqualTo(Fixture.content(100_000));
    assertThat(content.md5()).hasSize(32);
    assertThat(memory.usedBytes()).isZero();
    assertThat(s3.store.log()).isEmpty();
    assertThat(writer.takeInline()).isEmpty();
  }

  @Test
  void anEmptyFileIsInlineToo() throws IOException {
    InlineContent content = write(0, new InlineBudget(1, 1)).takeInline().orElseThrow();
    assertThat(content.bytes()).isEmpty();
    assertThat(content.md5()).isEqualTo("d41d8cd98f00b204e9800998ecf8427e");
  }

  @Test
  void aFileOverTheLimitOfAFileOrOfTheTaskIsAnUpload() throws Exception {
    InlineBudget budget = new InlineBudget(1000, 1500);
    assertThat(write(1001, budget).pending().get().sizeBytes()).isEqualTo(1001);
    assertThat(write(1000, budget).takeInline()).isPresent();
    assertThat(write(501, budget).pending().get().sizeBytes()).isEqualTo(501);
    assertThat(write(500, budget).takeInline()).isPresent();
    assertThat(write(1, InlineBudget.none()).takeInline()).isEmpty();
  }

  @Test
  void contentTakesAQuarterOfTheMemoryAndTheRestIsForParts() throws Exception {
    InlineBudget budget = new InlineBudget(MIB, 100L * MIB);
    PendingWriter first = write(600_000, budget);
    PendingWriter second = write(600_000, budget);
    assertThat(second.pending().get().sizeBytes()).isEqualTo(600_000);
    assertThat(memory.usedBytes()).isEqualTo(600_000);
    assertThat(first.takeInline()).isPresent();
    assertThat(write(600_000, budget).takeInline()).isPresent();
    assertThat(memory.usedBytes()).isZero();
  }

  @Test
  void aDroppedFileGivesItsRoomBackOnce() throws IOException {
    InlineBudget budget = new InlineBudget(1000, 1000);
    PendingWriter dropped = write(1000, budget);
    dropped.discard();
    dropped.discard();
    assertThat(memory.usedBytes()).isZero();
    assertThat(dropped.takeInline()).isEqualTo(Optional.empty());
    assertThat(write(1000, budget).takeInline()).isPresent();
    assertThat(write(1000, budget).takeInline()).isEmpty();
  }
}
