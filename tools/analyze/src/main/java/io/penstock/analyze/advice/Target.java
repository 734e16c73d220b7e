/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

import java.util.Locale;

/** The place where a change is made. */
public enum Target {
  /** A property of Spark. */
  SPARK,
  /** A property of Hadoop. In Spark its name has the prefix {@code spark.hadoop.}. */
  HADOOP,
  /** A field of the executors' pods. */
  POD,
  /** The job's code or its table. */
  CODE,
  /** Outside the job: bucket, network, file system, logging. */
  OUTSIDE;

  /** Returns the name of the target as reports show it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
