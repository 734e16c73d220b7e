/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.Settings;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.Range;
import io.penstock.core.store.StoreTraits;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.store.meta.UserMetadata;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PartNumbering;
import io.penstock.core.store.parts.PartNumbers;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.time.SystemTime;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Additions to objects that are only said to be large. */
class UniformPartsTest {
  private static final long MIB = 1 << 20;

  private final List<Long> copied = Collections.synchronizedList(new ArrayList<>());
  private final List<Long> sent = Collections.synchronizedList(new ArrayList<>());
  private final List<Long> read = new ArrayList<>();

  private final class Told extends StoreWrapper {
    private final PartNumbering numbering;

    Told(PartNumbering numbering) {
      super(new InMemoryStore("lake", SystemTime.INSTANCE));
      this.numbering = numbering;
    }

    @Override
    public StoreTraits traits() {
      return StoreTraits.unknown(numbering);
    }

    @Override
    public ObjectSlice get(String key, Range range, Optional<String> ifMatch) {
      ByteRange bytes = (ByteRange) range;
      read.add(bytes.lengthBytes());
      return new ObjectSlice(
          old(bytes.end()), bytes.start(), new byte[Math.toIntExact(bytes.lengthBytes())]);
    }

    @Override
    public Part copyPart(
        Upload upload, int number, String key, ByteRange range, Optional<String> ifMatch) {
      copied.add(range.lengthBytes());
      return new Part(number, "copied", range.lengthBytes());
    }

    @Override
    public Part uploadPart(Upload upload, PartNumbers numbers, Body body) {
      sent.add(body.sizeBytes());
      return new Part(numbers.first(), "sent", body.sizeBytes());
    }

    @Override
    public String completeUpload(PendingUpload pending, Condition condition) {
      return "whole";
    }
  }

  private static ObjectMeta old(long size) {
    return new ObjectMeta("log", size, "etag", Instant.EPOCH, Optional.empty(), UserMetadata.NONE);
  }

  private ObjectWriter append(PartNumbering numbering, long size, String partSize)
      throws IOException {
    UploadConfig config =
        UploadConfig.from(Settings.of(Map.of("penstock.upload.part.size", partSize)));
    return new Uploader(new Told(numbering), Runnable::run, config, new UploadRoom())
        .append(old(size));
  }

  @Test
  void littleIsReadHoweverLargePartsMayBe() throws IOException {
    try (ObjectWriter writer = append(PartNumbering.UNIFORM, 220 * MIB + 5, "512M")) {
      writer.write(new byte[(int) (40 * MIB)]);
    }
    assertThat(copied).containsOnly(32 * MIB).hasSize(6);
    assertThat(read).allMatch(bytes -> bytes <= 8 * MIB);
    assertThat(read.stream().mapToLong(Long::longValue).sum()).isEqualTo(28 * MIB + 5);
    assertThat(sent).containsExactly(32 * MIB, 32 * MIB, 4 * MIB + 5);
  }

  @Test
  void partsAreAsLargeAsLeavesNumbersForMore() throws IOException {
    try (ObjectWriter writer = append(PartNumbering.UNIFORM, 400L << 30, "32M")) {
      writer.write(1);
    }
    assertThat(copied).hasSizeLessThanOrEqualTo(5_000);
    assertThat(copied.stream().distinct()).hasSize(1);
    assertThat(copied.get(0)).isGreaterThan(32 * MIB);
  }

  @Test
  void whatDoesNotFitIsRefusedBeforeAnyCopy() {
    assertThatThrownBy(() -> append(PartNumbering.SPACED, 1_300L << 30, "32M"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("penstock.upload.part.size");
    assertThat(copied).isEmpty();
  }
}
