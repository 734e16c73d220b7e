/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The requests that a written object costs, and the content that is read back. */
class ObjectWriterTest {
  private final Fixture s3 = new Fixture();

  private void write(byte[] content, int step) throws IOException {
    try (ObjectWriter writer = s3.uploader(10).write("key", Condition.NONE)) {
      for (int at = 0; at < content.length; at += step) {
        writer.write(content, at, Math.min(step, content.length - at));
      }
    }
  }

  @Test
  void anEmptyObjectIsOnePut() throws IOException {
    s3.uploader(10).write("key", Condition.NONE).close();
    assertThat(s3.store.log()).containsExactly("PUT key");
    assertThat(s3.bare.head("key").sizeBytes()).isZero();
  }

  @Test
  void anObjectOfAtMostOnePartIsOnePut() throws IOException {
    for (int size : new int[] {1, 9, 10}) {
      s3.store.reset();
      byte[] content = Fixture.content(size);
      write(content, 3);
      assertThat(s3.store.log()).as("%d bytes", size).containsExactly("PUT key");
      assertThat(s3.read("key")).isEqualTo(content);
    }
  }

  @Test
  void anObjectOfMoreIsSentInParts() throws IOException {
    byte[] content = Fixture.content(11);
    write(content, 4);
    assertThat(s3.store.log())
        .containsExactly(
            "CREATE_UPLOAD key", "UPLOAD_PART key", "UPLOAD_PART key", "COMPLETE_UPLOAD key");
    assertThat(s3.read("key")).isEqualTo(content);
  }

  @Test
  void aWholeNumberOfPartsHasNoEmptyOneAtItsEnd() throws IOException {
    write(Fixture.content(30), 30);
    assertThat(s3.store.requests())
        .isEqualTo(
            Map.of(
                Operation.CREATE_UPLOAD,
                1,
                Operation.UPLOAD_PART,
                3,
                Operation.COMPLETE_UPLOAD,
                1));
  }

  @Test
  void howTheBytesAreWrittenDoesNotShow() throws IOException {
    byte[] content = Fixture.content(57);
    for (int step = 1; step <= 57; step++) {
      write(content, step);
      assertThat(s3.read("key")).as("written %d bytes at a time", step).isEqualTo(content);
    }
  }

  @Test
  void singleBytesAreWrittenToo() throws IOException {
    try (ObjectWriter writer = s3.uploader(10).write("key", Condition.NONE)) {
      for (int i = 250; i < 270; i++) {
        writer.write(i);
      }
      assertThat(writer.writtenBytes()).isEqualTo(20);
    }
    assertThat(s3.read("key")).hasSize(20).startsWith(250, 251).endsWith(12, 13);
  }

  @Test
  void theConditionHoldsForPutAndForComplete() throws IOException {
    for (int size : new int[] {5, 25}) {
      s3.bare.put("key", Body.ofBytes(new byte[] {1}), Condition.NONE);
      ObjectWriter writer = s3.uploader(10).write("key", Condition.IF_ABSENT);
      writer.write(Fixture.content(size));

      assertThatThrownBy(writer::close)
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.PRECONDITION_FAILED));

      assertThat(s3.read("key")).containsExactly(1);
      assertThat(s3.pendingUploads()).isEmpty();
    }
  }

  @Test
  void nothingIsVisibleBeforeClose() throws IOException {
    ObjectWriter writer = s3.uploader(10).write("key", Condition.NONE);
    writer.write(Fixture.content(100));
    assertThat(s3.keys()).isEmpty();
    writer.close();
    assertThat(s3.keys()).containsExactly("key");
  }

  @Test
  void aWriteAfterCloseFailsAndASecondCloseDoesNothing() throws IOException {
    ObjectWriter writer = s3.uploader(10).write("key", Condition.NONE);
    writer.close();
    assertThatThrownBy(() -> writer.write(1)).hasMessage("write to key after it was closed");
    writer.close();
    assertThat(s3.store.log()).containsExactly("PUT key");
  }

  @Test
  void abortLeavesNothingAndCloseAfterwardsDoesNothing() throws IOException {
    ObjectWriter writer = s3.uploader(10).write("key", Condition.NONE);
    writer.write(Fixture.content(55));
    writer.abort();
    writer.close();
    assertThat(s3.keys()).isEmpty();
    assertThat(s3.pendingUploads()).isEmpty();
    assertThat(s3.store.requests()).containsEntry(Operation.ABORT_UPLOAD, 1);
  }

  @Test
  void abortOfASmallObjectCostsNothing() throws IOException {
    ObjectWriter writer = s3.uploader(10).write("key", Condition.NONE);
    writer.write(1);
    writer.abort();
    assertThat(s3.store.log()).isEmpty();
  }

  @Test
  void anUploadShapedLikeFiftyGigabytesTakes1246Parts() throws IOException {
    // 50 GB and parts of 32 MiB, both divided by 32,768.
    byte[] content = Fixture.content(1_525_879);
    try (ObjectWriter writer = s3.uploader(1024).write("key", Condition.NONE)) {
      writer.write(content);
    }
    assertThat(s3.store.requests())
        .isEqualTo(
            Map.of(
                Operation.CREATE_UPLOAD,
                1,
                Operation.UPLOAD_PART,
                1246,
                Operation.COMPLETE_UPLOAD,
                1));
    assertThat(Arrays.equals(s3.read("key"), content)).isTrue();
  }

  @Test
  void anObjectOfMoreThanTenThousandPartsIsRefusedWithWhatToChange() throws IOException {
    ObjectWriter writer = s3.uploader(1).write("key", Condition.NONE);
    writer.write(new byte[1_023_001]);

    assertThatThrownBy(writer::close)
        .hasMessage(
            "s3://lake/key does not fit into 10,000 parts; raise penstock.upload.part.size");
    assertThat(s3.keys()).isEmpty();
    assertThat(s3.pendingUploads()).isEmpty();
  }
}
