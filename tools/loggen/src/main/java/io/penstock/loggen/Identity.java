/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The identity of the job: its user, its cluster and its output. All names are invented. */
final class Identity {
  static final String BUCKET = "lake";
  static final String REGION = "us-east-1";
  static final String ACCOUNT = "111122223333";
  static final String ROLE = "SparkJobRole";
  static final String HOST = BUCKET + ".s3." + REGION + ".amazonaws.com";
  static final String OWNER = "79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be";
  static final String INPUT = "in/sales";
  static final String OUTPUT = "out/sales";
  static final String USER = "hadoop";
  static final String SPARK = "4.1.1";
  static final String HADOOP = "3.4.2";
  static final String APP_NAME = "spark-s3-throttle";

  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private Identity() {}

  /** Returns the application id. The application starts some seconds before its first request. */
  static String applicationId() {
    return "app-" + stamp() + "-0007";
  }

  /** Returns the start time in the form that Hadoop uses in ids of jobs and attempts. */
  static String stamp() {
    return SECONDS.format(Plan.START);
  }

  static String userAgent() {
    return applicationId()
        + " Hadoop "
        + HADOOP
        + ", aws-sdk-java/2.29.52 md/http#Apache os/Linux#6.1.141 lang/java#17.0.15";
  }
}
