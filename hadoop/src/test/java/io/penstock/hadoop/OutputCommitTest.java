/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.commit.files.Segment;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.keys.Keys;
import io.penstock.emulator.s3.Dialect;
import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.hadoop.commit.OutputCommit;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commits whose surroundings end while they are under way. */
class OutputCommitTest {
  private static List<TaskFile> written(EmbeddedFs s3, String jobId) throws IOException {
    Segment segment = Segment.of(jobId, "attempt-0");
    String name = "t/" + segment.name() + "/part-0-" + jobId;
    try (FSDataOutputStream out = s3.fs.create(EmbeddedFs.path(name))) {
      out.write(new byte[7]);
    }
    return s3.engine.jobs().drain(segment);
  }

  @Test
  void aCommitOutlivesItsFileSystem() throws IOException {
    try (EmbeddedFs s3 = new EmbeddedFs()) {
      PenstockFileSystem fs = (PenstockFileSystem) s3.fs;
      OutputCommit commit = new OutputCommit(fs, EmbeddedFs.path("t"), "job-outlives", "app");
      List<TaskFile> uploads = written(s3, "job-outlives");

      // As FileSystem.closeAll() does, in Hadoop's shutdown hook or another thread.
      s3.fs.close();
      commit.commit(uploads, OptionalLong.empty(), fs.getConf());

      assertThat(s3.keys()).containsExactly("t/_SUCCESS", "t/part-0-job-outlives");
      assertThat(s3.pendingUploads()).isZero();
    }
  }

  /** Some stores refuse conditions, some ignore them, some copy no parts. */
  @ParameterizedTest
  @EnumSource(Dialect.class)
  void aJobCommitsOnEachStore(Dialect store) throws IOException {
    try (EmbeddedFs s3 =
        new EmbeddedFs(
            EmbeddedS3.builder().bucket("lake").like(store).start(),
            Map.of("penstock.conditional.writes", "auto"))) {
      PenstockFileSystem fs = (PenstockFileSystem) s3.fs;
      for (String job : List.of("job-first", "job-second")) {
        OutputCommit commit = new OutputCommit(fs, EmbeddedFs.path("t"), job, "app");
        commit.commit(written(s3, job), OptionalLong.empty(), fs.getConf());
      }
      assertThat(s3.keys())
          .containsExactly("t/_SUCCESS", "t/part-0-job-first", "t/part-0-job-second");
      assertThat(s3.pendingUploads()).isZero();
    }
  }

  @Test
  void filesOfAJobHaveItsMark() throws IOException {
    try (EmbeddedFs s3 = new EmbeddedFs()) {
      PenstockFileSystem fs = (PenstockFileSystem) s3.fs;
      new OutputCommit(fs, EmbeddedFs.path("t"), "job-marks", "app")
          .commit(written(s3, "job-marks"), OptionalLong.empty(), fs.getConf());
      assertThat(fs.store().head("t/part-0-job-marks").writeId()).contains("job-marks");
      assertThat(Keys.under(fs.store(), "t/"))
          .extracting(ObjectMeta::key)
          .containsExactly("t/_SUCCESS", "t/part-0-job-marks");
    }
  }
}
