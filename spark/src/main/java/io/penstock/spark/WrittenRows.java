/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import java.io.Serializable;
import java.util.OptionalLong;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.util.LongAccumulator;
import org.apache.spark.util.TaskCompletionListener;

/**
 * Counts the rows that the tasks of a job write. Spark knows a task's rows only after the task has
 * committed, too late for the task's commit message. An accumulator is read later, and Spark adds
 * the rows of only one attempt of each task.
 */
final class WrittenRows implements Serializable {
  private static final long serialVersionUID = 1L;

  private final LongAccumulator rows = new LongAccumulator();

  private WrittenRows() {}

  /** Starts the count on the driver. Returns null if the job runs without Spark. */
  static WrittenRows begin() {
    if (SparkEnv.get() == null) {
      return null;
    }
    WrittenRows written = new WrittenRows();
    SparkContext.getOrCreate().register(written.rows);
    return written;
  }

  /** Counts the rows of this thread's task after the task has ended successfully. */
  void countTask() {
    TaskContext task = TaskContext.get();
    if (task != null) {
      task.addTaskCompletionListener(
          (TaskCompletionListener)
              ended -> rows.add(ended.taskMetrics().outputMetrics().recordsWritten()));
    }
  }

  /** Returns the number of rows that all tasks have written, if they were counted. */
  static OptionalLong of(WrittenRows written) {
    return written == null ? OptionalLong.empty() : OptionalLong.of(written.rows.sum());
  }
}
