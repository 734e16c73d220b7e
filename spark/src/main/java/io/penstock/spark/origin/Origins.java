/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.origin;

import io.penstock.core.caller.Origin;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;

/** Says for which work of Spark a thread makes requests. */
public final class Origins {
  /** Spark sets this for the jobs and tasks of a SQL query. */
  private static final String QUERY = "spark.sql.execution.id";

  private static final String APPLICATION = "spark.app.id";

  /** All threads that Penstock starts are named like this. */
  private static final String OUR_THREADS = "penstock-";

  private Origins() {}

  /**
   * Returns the origin of a task's requests.
   *
   * @param conf of the process; in local mode the application has its id only after this plugin
   */
  public static Origin of(TaskContext task, SparkConf conf) {
    return new Origin(
        conf.get(APPLICATION, ""),
        number(task.getLocalProperty(QUERY)),
        Optional.of(
            new Origin.Task(
                task.stageId(),
                task.stageAttemptNumber(),
                task.partitionId(),
                task.taskAttemptId())));
  }

  /**
   * Returns the origin of the calling thread's work on an executor, if it is not the task's own
   * thread: Spark 3.5 reads in another one what a Python function needs.
   */
  public static Origin ofExecutor(SparkConf conf) {
    TaskContext task = TaskContext.get();
    return task == null
        ? new Origin(conf.get(APPLICATION, ""), OptionalLong.empty(), Optional.empty())
        : of(task, conf);
  }

  /**
   * Returns the origin of the calling thread's work on the driver. A thread inherits the query of
   * the thread that started it, which says nothing about the work of a pool's thread.
   */
  public static Origin ofDriver(SparkContext spark, RunningQueries queries) {
    Origin known = ofExecutor(spark.conf()); // in local mode, tasks run here
    if (known.task().isPresent() || Thread.currentThread().getName().startsWith(OUR_THREADS)) {
      return known;
    }
    OptionalLong query = number(spark.getLocalProperty(QUERY));
    boolean isItsOwn = query.isPresent() && queries.isRunning(query.getAsLong());
    return isItsOwn ? new Origin(known.application(), query, Optional.empty()) : known;
  }

  private static OptionalLong number(String text) {
    try {
      return text == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
