/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.commit;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;

/**
 * Commits jobs of Hadoop's newer API ({@code saveAsNewAPIHadoopFile} in Spark) without a rename.
 */
public final class PenstockCommitter extends PathOutputCommitter {
  private final Path output;
  private final JobFiles files;
  private final Path workPath;

  PenstockCommitter(Path output, JobFiles files, TaskAttemptContext context) throws IOException {
    super(output, context);
    this.output = output;
    this.files = files;
    this.workPath = files.workPath(context);
  }

  @Override
  public Path getOutputPath() {
    return output;
  }

  @Override
  public Path getWorkPath() {
    return workPath;
  }

  /**
   * Needs no directory, since no file of the job is visible before its commit. Refuses Spark's own
   * protocols for SQL: they give the job another id than its tasks, or write around the committer.
   */
  @Override
  public void setupJob(JobContext job) throws IOException {
    if (job.getJobID() == null) {
      throw new IOException(
          "%s: Penstock's committer is only for RDDs; Spark's own commit protocol for SQL cannot use it. Set spark.sql.sources.commitProtocolClass=io.penstock.spark.PenstockCommitProtocol, or remove what sets it to another value; also remove spark.sql.streaming.commitProtocolClass; see docs/migration.md"
              .formatted(output));
    }
    files.setupJob(job);
  }

  @Override
  public void setupTask(TaskAttemptContext task) {
    files.setupTask(task);
  }

  @Override
  public boolean needsTaskCommit(TaskAttemptContext task) throws IOException {
    return files.needsCommit(task);
  }

  @Override
  public void commitTask(TaskAttemptContext task) throws IOException {
    files.commitTask(task);
  }

  @Override
  public void abortTask(TaskAttemptContext task) throws IOException {
    files.abortTask(task);
  }

  @Override
  public void commitJob(JobContext job) throws IOException {
    files.commitJob(job);
  }

  @Override
  public void abortJob(JobContext job, JobStatus.State state) throws IOException {
    files.abortJob(job);
  }
}
