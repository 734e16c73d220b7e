/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.hadoop.commit.PenstockCommitterFactory;
import io.penstock.hadoop.commit.PenstockMapredCommitter;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.FileOutputFormat;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Spark numbers the attempts of an RDD's task anew when its stage is submitted again. */
class TriedAgainTest {
  private static final String ATTEMPT = "attempt_20260101_0001_m_000000_0";
  private static final Path OUTPUT = EmbeddedFs.path("t");

  private EmbeddedFs s3;
  private JobConf conf;
  private FileSystem fs;

  @BeforeEach
  void start() throws IOException {
    s3 = new EmbeddedFs();
    conf = new JobConf(EmbeddedFs.conf(s3.s3, Map.of()));
    conf.setBoolean("fs.s3.impl.disable.cache", true);
    FileOutputFormat.setOutputPath(conf, OUTPUT);
    fs = OUTPUT.getFileSystem(conf);
  }

  @AfterEach
  void stop() throws IOException {
    fs.close();
    s3.close();
  }

  /** Writes by a file system of Hadoop's making, as the committer has one. */
  private void write(Path work) throws IOException {
    try (FSDataOutputStream out = fs.create(new Path(work, "part-0"), true)) {
      out.write(1);
    }
  }

  @Test
  void anAttemptOfTheNewerApiWritesInTheNameOfAnAbortedOne() throws IOException {
    TaskAttemptContext task = new TaskAttemptContextImpl(conf, TaskAttemptID.forName(ATTEMPT));
    PathOutputCommitter committer =
        new PenstockCommitterFactory().createOutputCommitter(OUTPUT, task);
    committer.setupTask(task);
    write(committer.getWorkPath());
    committer.abortTask(task);
    assertThatThrownBy(() -> write(committer.getWorkPath()))
        .hasMessageContaining("has been committed or aborted");
    assertThat(s3.pendingUploads()).isZero();

    committer.setupTask(task);
    write(committer.getWorkPath());
    assertThat(committer.needsTaskCommit(task)).isTrue();
    committer.commitTask(task);
    assertThat(s3.pendingUploads()).isEqualTo(1);
  }

  @Test
  void anAttemptOfTheOlderApiWritesInTheNameOfACommittedOne() throws IOException {
    var task =
        new org.apache.hadoop.mapred.TaskAttemptContextImpl(
            conf, org.apache.hadoop.mapred.TaskAttemptID.forName(ATTEMPT));
    PenstockMapredCommitter committer = new PenstockMapredCommitter();
    Path work = committer.getWorkPath(task, OUTPUT);
    committer.setupTask(task);
    write(work);
    committer.commitTask(task);
    assertThatThrownBy(() -> write(work)).hasMessageContaining("has been committed or aborted");

    committer.setupTask(task);
    write(work);
    committer.commitTask(task);
    assertThat(s3.pendingUploads()).isEqualTo(2);
  }
}
