/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.plan;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The identity of the job: its user, its cluster and its output. All names are invented. */
public final class JobIdentity {
  public static final String BUCKET = "lake";
  public static final String REGION = "us-east-1";
  public static final String ACCOUNT = "111122223333";
  public static final String ROLE = "SparkJobRole";
  public static final String HOST = BUCKET + ".s3." + REGION + ".amazonaws.com";
  public static final String OWNER =
      "79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be";
  public static final String INPUT = "in/sales";
  public static final String OUTPUT = "out/sales";
  public static final String USER = "hadoop";
  public static final String SPARK = "4.1.1";
  static final String HADOOP = "3.4.2";
  public static final String APP_NAME = "spark-s3-throttle";

  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private JobIdentity() {}

  /** Returns the application id. The application starts some seconds before its first request. */
  public static String applicationId() {
    return "app-" + stamp() + "-0007";
  }

  /** Returns the start time in the form that Hadoop uses in ids of jobs and attempts. */
  public static String stamp() {
    return SECONDS.format(Plan.START);
  }

  /** Returns the user agent of the job's requests. */
  public static String userAgent() {
    return applicationId()
        + " Hadoop "
        + HADOOP
        + ", aws-sdk-java/2.29.52 md/http#Apache os/Linux#6.1.141 lang/java#17.0.15";
  }
}
