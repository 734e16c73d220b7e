/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.plan;

/** The kinds of logs of one job. */
public enum LogForm {
  /** S3 server access log, 27 fields. */
  ACCESS_LOG("access-log"),
  /** CloudTrail data events of the same requests. */
  CLOUDTRAIL("cloudtrail"),
  /** Spark's event log of the job that sent them. */
  EVENT_LOG("event-log");

  private final String text;

  LogForm(String text) {
    this.text = text;
  }

  /** Returns the name of the option and of the directory for this kind. */
  @Override
  public String toString() {
    return text;
  }
}
