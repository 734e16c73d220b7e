/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import org.apache.spark.TaskContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF0;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;

/**
 * Lets a test act in the middle of a task: SQL's {@code at(id)} calls it with every row, and {@code
 * attempt()} is the number of the task's attempt.
 */
final class Rows {
  /** What to do at a row. */
  @FunctionalInterface
  interface Action {
    void at(long row) throws Exception;
  }

  private static volatile Action action = row -> {};

  private Rows() {}

  static void register(SparkSession spark) {
    spark
        .udf()
        .register(
            "at",
            functions.udf((UDF1<Long, Long>) Rows::at, DataTypes.LongType).asNondeterministic());
    spark
        .udf()
        .register(
            "attempt",
            functions
                .udf((UDF0<Integer>) () -> TaskContext.get().attemptNumber(), DataTypes.IntegerType)
                .asNondeterministic());
  }

  /** From now on, for all jobs. */
  static void each(Action next) {
    action = next;
  }

  static void calm() {
    action = row -> {};
  }

  private static Long at(Long row) throws Exception {
    action.at(row);
    return row;
  }
}
