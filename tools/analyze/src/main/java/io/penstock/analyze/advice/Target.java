/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

import java.util.Locale;

/** The place where a change is made. */
public enum Target {
  /** A property of Spark. */
  SPARK,
  /** A property of Hadoop; in Spark it has {@code spark.hadoop.} before it. */
  HADOOP,
  /** A field of the executors' pods. */
  POD,
  /** The job's code or its table. */
  CODE,
  /** Outside the job: bucket, network, file system, logging. */
  OUTSIDE;

  /** Returns it as it is written in reports. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
