/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import io.penstock.core.commit.files.Segment;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.life.Jobs;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** The commit of one task attempt, in the form that Spark's coordinator calls. */
final class AttemptCommitter extends OutputCommitter {
  private final Jobs jobs;
  private final Segment segment;
  private List<TaskFile> files = List.of();

  AttemptCommitter(Jobs jobs, Segment segment) {
    this.jobs = jobs;
    this.segment = segment;
  }

  /** Returns the task's files; empty before the task has committed. */
  List<TaskFile> files() {
    return files;
  }

  /**
   * Waits until the uploads are in the store. Spark calls this before it asks the coordinator. An
   * attempt that has the permission and waits for a slow store keeps all copies of its task from
   * committing.
   */
  @Override
  public boolean needsTaskCommit(TaskAttemptContext task) throws IOException {
    jobs.awaitStored(segment);
    return true;
  }

  @Override
  public void commitTask(TaskAttemptContext task) throws IOException {
    files = jobs.drain(segment);
  }

  @Override
  public void abortTask(TaskAttemptContext task) throws IOException {
    jobs.abort(segment);
  }

  @Override
  public void setupJob(JobContext job) {
    // Nothing: the protocol sets up no job.
  }

  @Override
  public void setupTask(TaskAttemptContext task) {
    // Nothing: the protocol sets up no task.
  }
}
