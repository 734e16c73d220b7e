/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.emulator.s3.EmbeddedS3;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/** With an interval of zero, all is visible when hsync returns, however much was written. */
class FlushAtOnceTest {
  @Test
  void allIsVisibleWhenHsyncReturns() throws IOException {
    try (EmbeddedFs s3 =
        new EmbeddedFs(
            EmbeddedS3.builder().bucket("lake").start(), Map.of("penstock.flush.interval", "0s"))) {
      byte[] much = new byte[4_300_000];
      Path log = EmbeddedFs.path("events/app.inprogress");
      try (FSDataOutputStream out = s3.fs.create(log, false)) {
        out.write(new byte[10]);
        out.hsync();
        for (int i = 1; i <= 8; i++) {
          out.write(much);
          out.hsync();
          assertThat(s3.fs.getFileStatus(log).getLen()).isEqualTo(10 + (long) i * much.length);
        }
      }
    }
  }
}
