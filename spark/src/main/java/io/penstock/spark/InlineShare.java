/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import io.penstock.core.commit.intent.InlineConfig;
import io.penstock.core.config.Settings;
import io.penstock.core.upload.InlineBudget;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;

/** Computes how much content the message of a task may carry to the driver. */
final class InlineShare {
  private static final String DRIVER_MEMORY = "spark.driver.memory";
  private static final String RESULT_MAX = "spark.driver.maxResultSize";

  /** Spark's own default of both settings. */
  private static final String DEFAULT = "1g";

  private static final String DIRECT_RESULT_MAX = "spark.task.maxDirectResultSize";
  private static final String DIRECT_RESULT_DEFAULT = "1m";
  private static final String RPC_MAX = "spark.rpc.message.maxSize";
  private static final String RPC_DEFAULT = "128m";

  /**
   * While Spark receives a message, the driver holds it serialized and as an array; and a driver
   * may run several jobs at once.
   */
  private static final int PART_OF_HEAP = 16;

  /** Spark fails a job whose results exceed the limit; rows that the user collects count, too. */
  private static final int PART_OF_RESULTS = 4;

  /**
   * A result up to the limit goes to the driver at once. A larger one waits in the executor until
   * the driver fetches it, and is lost if the executor dies meanwhile. Then Spark fails the stage,
   * since the task has already committed (SPARK-39195). A quarter is left for the rest of the
   * result.
   */
  private static final double PART_OF_DIRECT_RESULT = 0.75;

  private InlineShare() {}

  /** Returns the budget of the task that runs on this thread. */
  static InlineBudget of(Settings settings) {
    SparkEnv env = SparkEnv.get();
    TaskContext task = TaskContext.get();
    if (env == null || task == null) {
      return InlineBudget.none();
    }
    return InlineConfig.from(settings)
        .ofTask(task.numPartitions(), driverMaxBytes(env.conf()), messageMaxBytes(env.conf()));
  }

  static long messageMaxBytes(SparkConf conf) {
    long direct = conf.getSizeAsBytes(DIRECT_RESULT_MAX, DIRECT_RESULT_DEFAULT);
    long message = conf.getSizeAsMb(RPC_MAX, RPC_DEFAULT) << 20;
    return (long) (Math.min(direct, message) * PART_OF_DIRECT_RESULT);
  }

  static long driverMaxBytes(SparkConf conf) {
    long results = conf.getSizeAsBytes(RESULT_MAX, DEFAULT);
    // Spark reads a number without a unit as mebibytes here, and 0 as no limit there.
    long heap = conf.getSizeAsMb(DRIVER_MEMORY, DEFAULT) << 20;
    return results == 0
        ? heap / PART_OF_HEAP
        : Math.min(heap / PART_OF_HEAP, results / PART_OF_RESULTS);
  }
}
