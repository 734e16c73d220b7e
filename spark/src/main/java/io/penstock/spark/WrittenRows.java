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
 * Counts the rows that the tasks of a job write. Spark tells a task's rows after the task has
 * committed, too late for its message; an accumulator is read later still, and Spark adds the rows
 * of one attempt of each task only.
 */
final class WrittenRows implements Serializable {
  private static final long serialVersionUID = 1L;

  private final LongAccumulator rows = new LongAccumulator();

  private WrittenRows() {}

  /** Begins to count, on the driver; returns null where there is no Spark around the job. */
  static WrittenRows begin() {
    if (SparkEnv.get() == null) {
      return null;
    }
    WrittenRows written = new WrittenRows();
    SparkContext.getOrCreate().register(written.rows);
    return written;
  }

  /** Counts the rows of the task that runs in this thread, once it has ended well. */
  void countTask() {
    TaskContext task = TaskContext.get();
    if (task != null) {
      task.addTaskCompletionListener(
          (TaskCompletionListener)
              ended -> rows.add(ended.taskMetrics().outputMetrics().recordsWritten()));
    }
  }

  /** Returns the rows that all tasks have written, if they were counted. */
  static OptionalLong of(WrittenRows written) {
    return written == null ? OptionalLong.empty() : OptionalLong.of(written.rows.sum());
  }
}
