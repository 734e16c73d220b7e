/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.emulator.s3.Dialect;
import io.penstock.emulator.s3.EmbeddedS3;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A store that completes an upload only if all parts but the last have one size. */
class PartsOfOneSizeTest {
  private static final int MIB = 1 << 20;
  private static final Path LOG = EmbeddedFs.path("logs/app.log");

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private EmbeddedFs s3;

  @BeforeEach
  void start() throws IOException {
    s3 =
        new EmbeddedFs(
            EmbeddedS3.builder().bucket("lake").like(Dialect.R2).start(),
            Map.of(
                "penstock.upload.part.numbers", "uniform",
                "penstock.upload.part.size", "6M",
                "penstock.flush.interval", "0s"));
  }

  @AfterEach
  void stop() throws IOException {
    assertThat(s3.pendingUploads()).isZero();
    s3.close();
  }

  private byte[] some(int bytes) {
    byte[] some = new byte[bytes];
    new SplittableRandom(written.size()).nextBytes(some);
    written.writeBytes(some);
    return some;
  }

  private void assertAllIsVisible() throws IOException {
    assertThat(Arrays.equals(s3.read("logs/app.log"), written.toByteArray())).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "5, 20", "6, 1", "7, 13", "12, 12", "25, 3", "25, 0"})
  void whatIsAddedIsAtTheEnd(int oldMib, int addedMib) throws IOException {
    s3.write("logs/app.log", some(oldMib * MIB));
    try (FSDataOutputStream out = s3.fs.append(LOG)) {
      for (int i = 0; i < addedMib; i++) {
        out.write(some(MIB + i));
      }
    }
    assertAllIsVisible();
  }

  @ParameterizedTest
  @CsvSource({"1, 3", "5, 4", "6, 23"})
  void aFlushedFileIsVisible(int firstMib, int nextMib) throws IOException {
    try (FSDataOutputStream out = s3.fs.create(LOG, false)) {
      out.write(some(firstMib * MIB));
      out.hsync();
      assertAllIsVisible();
      for (int i = 0; i < 3; i++) {
        out.write(some(nextMib * MIB + i));
        out.hsync();
        assertAllIsVisible();
      }
      out.write(some(MIB));
    }
    assertAllIsVisible();
  }
}
