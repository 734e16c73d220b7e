/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.commit;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.FileOutputCommitter;
import org.apache.hadoop.mapred.FileOutputFormat;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobContext;
import org.apache.hadoop.mapred.TaskAttemptContext;

/**
 * Commits jobs of Hadoop's older API ({@code saveAsTextFile} in Spark) without a rename. On other
 * file systems, Hadoop's own commit is used. This class extends Hadoop's committer because only
 * that class tells the output formats where to write. The formats create a new committer for each
 * call, so this class keeps no state.
 */
public final class PenstockMapredCommitter extends FileOutputCommitter {
  private static Optional<JobFiles> files(JobConf conf) throws IOException {
    Path output = FileOutputFormat.getOutputPath(conf);
    return output == null ? Optional.empty() : JobFiles.of(output, conf);
  }

  @Override
  public Path getWorkPath(TaskAttemptContext task, Path output) throws IOException {
    Optional<JobFiles> files = JobFiles.of(output, task.getJobConf());
    return files.isPresent() ? files.get().workPath(task) : super.getWorkPath(task, output);
  }

  @Override
  public void setupJob(JobContext job) throws IOException {
    Optional<JobFiles> files = files(job.getJobConf());
    if (files.isPresent()) {
      files.get().setupJob(job);
    } else {
      super.setupJob(job);
    }
  }

  @Override
  public void setupTask(TaskAttemptContext task) throws IOException {
    Optional<JobFiles> files = files(task.getJobConf());
    if (files.isPresent()) {
      files.get().setupTask(task);
    } else {
      super.setupTask(task);
    }
  }

  @Override
  public boolean needsTaskCommit(TaskAttemptContext task) throws IOException {
    Optional<JobFiles> files = files(task.getJobConf());
    return files.isPresent() ? files.get().needsCommit(task) : super.needsTaskCommit(task);
  }

  @Override
  public void commitTask(TaskAttemptContext task) throws IOException {
    Optional<JobFiles> files = files(task.getJobConf());
    if (files.isPresent()) {
      files.get().commitTask(task);
    } else {
      super.commitTask(task);
    }
  }

  @Override
  public void abortTask(TaskAttemptContext task) throws IOException {
    Optional<JobFiles> files = files(task.getJobConf());
    if (files.isPresent()) {
      files.get().abortTask(task);
    } else {
      super.abortTask(task);
    }
  }

  @Override
  public void commitJob(JobContext job) throws IOException {
    Optional<JobFiles> files = files(job.getJobConf());
    if (files.isPresent()) {
      files.get().commitJob(job);
    } else {
      super.commitJob(job);
    }
  }

  @Override
  public void abortJob(JobContext job, int runState) throws IOException {
    Optional<JobFiles> files = files(job.getJobConf());
    if (files.isPresent()) {
      files.get().abortJob(job);
    } else {
      super.abortJob(job, runState);
    }
  }

  @Override
  @Deprecated
  public void cleanupJob(JobContext job) throws IOException {
    if (files(job.getJobConf()).isEmpty()) {
      super.cleanupJob(job);
    }
  }

  @Override
  public boolean isRecoverySupported(JobContext job) throws IOException {
    return false;
  }

  @Override
  public boolean isCommitJobRepeatable(JobContext job) throws IOException {
    return false;
  }
}
