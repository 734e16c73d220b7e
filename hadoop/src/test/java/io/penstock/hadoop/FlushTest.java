/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.commit.files.Segment;
import io.penstock.core.upload.InlineBudget;
import io.penstock.emulator.s3.EmbeddedS3;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files that are flushed while they are written, through the file system. */
class FlushTest {
  private static final Segment SEGMENT = new Segment("job", "0");
  private static final Path LOG = EmbeddedFs.path("events/app.inprogress");

  private EmbeddedFs s3;

  @BeforeEach
  void start() throws IOException {
    s3 =
        new EmbeddedFs(
            EmbeddedS3.builder().bucket("lake").start(), Map.of("penstock.flush.interval", "0s"));
  }

  @AfterEach
  void stop() throws IOException {
    s3.close();
  }

  @Test
  void readersSeeWhatWasFlushedAndTheWholeAfterTheClose() throws IOException {
    try (FSDataOutputStream out = s3.fs.create(LOG, false)) {
      out.write(new byte[10]);
      assertThat(s3.fs.exists(LOG)).isFalse();
      out.hflush();
      assertThat(s3.fs.getFileStatus(LOG).getLen()).isEqualTo(10);
      out.write(new byte[20]);
      out.hsync();
      try (FSDataInputStream in = s3.fs.open(LOG)) {
        assertThat(in.readAllBytes()).hasSize(30);
      }
      out.write(new byte[3]);
    }
    assertThat(s3.fs.getFileStatus(LOG).getLen()).isEqualTo(33);
    Path renamed = EmbeddedFs.path("events/app");
    assertThat(s3.fs.rename(LOG, renamed)).isTrue();
    assertThat(s3.keys()).contains("events/app").doesNotContain("events/app.inprogress");
  }

  @Test
  void aFileOfACommitIsNeverShown() throws IOException {
    s3.engine.jobs().begin(SEGMENT, InlineBudget.none());
    try (FSDataOutputStream out =
        s3.fs.create(EmbeddedFs.path("t/__penstock_job_0/f.parquet"), false)) {
      out.write(new byte[10]);
      out.hflush();
      assertThat(s3.keys()).isEmpty();
    }
    s3.engine.jobs().abort(SEGMENT);
    assertThat(s3.keys()).isEmpty();
  }
}
