/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.spark.internal.io.FileCommitProtocol;
import org.apache.spark.internal.io.FileNameSpec;
import org.apache.spark.sql.execution.datasources.SQLHadoopMapReduceCommitProtocol;
import scala.Option;

/**
 * The class for {@code spark.sql.sources.commitProtocolClass}. It commits {@code s3} and {@code
 * s3a} paths without a rename, and uses Spark's own protocol for all other paths. The plugin sets
 * this class, but the class works without the plugin too. One class file serves Spark 3.5 to 4.3 on
 * both Scala versions. These differ in the {@code Seq} of {@code commitJob}, so this class has both
 * methods.
 */
@SuppressWarnings("overloads") // commitJob exists for both types of Seq
public final class PenstockCommitProtocol extends FileCommitProtocol
    implements java.io.Serializable {
  private static final long serialVersionUID = 1L;

  private final FileCommitProtocol protocol;

  /** The constructor Spark looks for. */
  public PenstockCommitProtocol(String jobId, String path, boolean dynamicPartitionOverwrite) {
    this.protocol =
        isS3(path)
            ? new S3CommitProtocol(jobId, path, dynamicPartitionOverwrite)
            : new SQLHadoopMapReduceCommitProtocol(jobId, path, dynamicPartitionOverwrite);
  }

  private static boolean isS3(String path) {
    String scheme = path == null ? null : new Path(path).toUri().getScheme();
    return "s3".equals(scheme) || "s3a".equals(scheme);
  }

  @Override
  public void setupJob(JobContext job) {
    protocol.setupJob(job);
  }

  @Override
  public void commitJob(
      JobContext job, scala.collection.immutable.Seq<TaskCommitMessage> messages) {
    protocol.commitJob(job, messages);
  }

  /**
   * Commits the job; Spark builds for Scala 2.12 call this method. Throws an IOException,
   * undeclared, if the commit fails; see {@link io.penstock.core.commit.JobCommit#commit}.
   */
  public void commitJob(JobContext job, scala.collection.Seq<TaskCommitMessage> messages) {
    if (protocol instanceof S3CommitProtocol ours) {
      ours.commitJob(job, messages);
    } else {
      commitJobOfScala212(job, messages);
    }
  }

  /**
   * Calls the method by reflection, because Spark's own protocol has it only in the builds for
   * Scala 2.12.
   */
  private void commitJobOfScala212(
      JobContext job, scala.collection.Seq<TaskCommitMessage> messages) {
    SneakyThrow.run(
        () -> {
          try {
            protocol
                .getClass()
                .getMethod("commitJob", JobContext.class, scala.collection.Seq.class)
                .invoke(protocol, job, messages);
          } catch (InvocationTargetException e) {
            throw e.getCause() instanceof IOException failure
                ? failure
                : new IOException(e.getCause());
          } catch (ReflectiveOperationException e) {
            throw new IOException(
                "Penstock cannot call the commit protocol of this version of Spark", e);
          }
        });
  }

  @Override
  public void abortJob(JobContext job) {
    protocol.abortJob(job);
  }

  @Override
  public void setupTask(TaskAttemptContext task) {
    protocol.setupTask(task);
  }

  @Override
  public String newTaskTempFile(TaskAttemptContext task, Option<String> dir, FileNameSpec spec) {
    return protocol.newTaskTempFile(task, dir, spec);
  }

  @Override
  @Deprecated
  public String newTaskTempFile(TaskAttemptContext task, Option<String> dir, String extension) {
    return protocol.newTaskTempFile(task, dir, new FileNameSpec("", extension));
  }

  @Override
  public String newTaskTempFileAbsPath(
      TaskAttemptContext task, String directory, FileNameSpec spec) {
    return protocol.newTaskTempFileAbsPath(task, directory, spec);
  }

  @Override
  @Deprecated
  public String newTaskTempFileAbsPath(TaskAttemptContext task, String dir, String extension) {
    return protocol.newTaskTempFileAbsPath(task, dir, new FileNameSpec("", extension));
  }

  @Override
  public TaskCommitMessage commitTask(TaskAttemptContext task) {
    return protocol.commitTask(task);
  }

  @Override
  public void abortTask(TaskAttemptContext task) {
    protocol.abortTask(task);
  }

  @Override
  public boolean deleteWithJob(FileSystem fs, Path path, boolean recursive) {
    return protocol.deleteWithJob(fs, path, recursive);
  }

  @Override
  public void onTaskCommit(TaskCommitMessage message) {
    protocol.onTaskCommit(message);
  }
}
