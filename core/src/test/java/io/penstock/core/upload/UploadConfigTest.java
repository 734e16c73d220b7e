/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.Settings;
import io.penstock.core.upload.UploadConfig.Buffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UploadConfigTest {
  private static UploadConfig from(Map<String, String> values) {
    return UploadConfig.from(Settings.of(values).forBucket("lake"));
  }

  @Test
  void theDefaultIsPartsOf32MebibytesInMemoryWhileThereIsRoom() {
    assertThat(from(Map.of()))
        .isEqualTo(
            new UploadConfig(
                33_554_432,
                4,
                true,
                Buffer.AUTO,
                Optional.empty(),
                Math.min(268_435_456, Runtime.getRuntime().maxMemory() / 4),
                8_589_934_592L,
                Duration.ofMinutes(10)));
  }

  @Test
  void theMemoryOfBuffersIsAQuarterOfTheHeapAtMost() {
    assertThat(UploadConfig.memoryMaxBytes(268_435_456, 4_294_967_296L)).isEqualTo(268_435_456);
    assertThat(UploadConfig.memoryMaxBytes(268_435_456, 400_000_000)).isEqualTo(100_000_000);
  }

  @Test
  void s3asNamesAreRead() {
    assertThat(
            from(
                Map.of(
                    "fs.s3a.multipart.size", "64M",
                    "fs.s3a.fast.upload.buffer", "bytebuffer",
                    "fs.s3a.buffer.dir", "/fast,/faster")))
        .extracting(UploadConfig::partSizeBytes, UploadConfig::buffer, UploadConfig::directories)
        .containsExactly(67_108_864L, Buffer.ARRAY, Optional.of("/fast,/faster"));
  }

  @Test
  void ourBufferCountsBeforeS3as() {
    assertThat(
            from(Map.of("fs.s3a.fast.upload.buffer", "array", "penstock.upload.buffer", "disk"))
                .buffer())
        .isEqualTo(Buffer.DISK);
  }

  @Test
  void s3asDefaultBufferIsNotOurs() {
    assertThat(from(Map.of("fs.s3a.fast.upload.buffer", "disk")).buffer()).isEqualTo(Buffer.AUTO);
  }

  @Test
  void aPartThatS3RefusesIsRefusedUnderTheNameTheUserWrote() {
    for (String size : new String[] {"4M", "6G"}) {
      assertThatThrownBy(() -> from(Map.of("fs.s3a.multipart.size", size)))
          .isInstanceOf(ConfigException.class)
          .hasMessageStartingWith("fs.s3a.multipart.size='" + size + "': must be 5M to 5G.");
    }
  }
}
