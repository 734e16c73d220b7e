/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.advice.AdviceFixture;
import io.penstock.tables.Table;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** T13: what counts as a file. */
class SizesTest {
  private static final String UPLOAD = "'u' || i";

  @TempDir private Path spill;

  @Test
  void whatCommittersAndDirectoriesLeaveBesideFilesIsNoFile() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      logs.requests("UploadPart", "W", 10, 0, "upload_id", UPLOAD, "bytes_in", "268435456");
      logs.requests("CompleteMultipartUpload", "W", 10, 0, "upload_id", UPLOAD);
      logs.requests("PutObject", "W", 40, 0, "bytes_in", "0");
      logs.run(
          """
          update s3_all set key = case position % 4
            when 0 then 'out/__magic_job-1/tasks/part-' || position || '.parquet.pending'
            when 1 then 'out/_penstock_job_1/task-' || position
            when 2 then 'out/dir-' || position || '/'
            else 'out/_SUCCESS' end
          where api = 'PutObject'\
          """);
      Table sizes = sizes(logs);
      assertThat(sizes.count(0, "files")).isEqualTo(10);
      assertThat(sizes.count(0, "p50_bytes")).isEqualTo(268_435_456);
    }
  }

  @Test
  void anObjectThatIsPutAgainIsAnotherFileAndNoLargerOne() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      logs.requests("PutObject", "W", 100, 20, "bytes_in", "1000");
      logs.run("update s3_all set key = 'state/x', chain = 7");
      Table sizes = sizes(logs);
      assertThat(sizes.count(0, "files")).isEqualTo(80);
      assertThat(sizes.count(0, "p50_bytes")).isEqualTo(1_000);
    }
  }

  @Test
  void filesStandBeforeReads() throws IOException {
    try (AdviceFixture logs = AdviceFixture.open(spill)) {
      logs.requests("GetObject", "R", 10, 0, "bytes_out", "1000");
      logs.requests("PutObject", "W", 10, 0, "bytes_in", "1000");
      Table sizes = sizes(logs);
      assertThat(sizes.text(0, "what")).isEqualTo("files written");
      assertThat(sizes.text(1, "what")).isEqualTo("GetObject answers");
    }
  }

  private static Table sizes(AdviceFixture logs) throws IOException {
    return Analyses.named("sizes").orElseThrow().run(logs.ready());
  }
}
