/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import io.penstock.core.commit.files.Segment;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.life.Ledger;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * The commit of one task attempt, in the form that Spark's coordinator calls. It drains or aborts
 * the ledger.
 */
final class LedgerCommitter extends OutputCommitter {
  private final Ledger ledger;
  private final Segment segment;
  private List<TaskFile> files = List.of();

  LedgerCommitter(Ledger ledger, Segment segment) {
    this.ledger = ledger;
    this.segment = segment;
  }

  /** Returns the task's files; empty before the task has committed. */
  List<TaskFile> files() {
    return files;
  }

  @Override
  public boolean needsTaskCommit(TaskAttemptContext task) {
    return true;
  }

  @Override
  public void commitTask(TaskAttemptContext task) throws IOException {
    files = ledger.drain(segment);
  }

  @Override
  public void abortTask(TaskAttemptContext task) throws IOException {
    ledger.abort(segment);
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
