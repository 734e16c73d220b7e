/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.ui;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * The event that carries a report in Spark's event log. The names of the class and of its field are
 * a format and never change. A History Server without Penstock skips it.
 */
@SuppressWarnings("checkstyle:VisibilityModifier")
public final class PenstockRequests implements SparkListenerEvent {
  /** The report, as {@code …/penstock/json/} returns it; with fewer rows while the job runs. */
  public JsonNode report;

  /** For Jackson. */
  public PenstockRequests() {}

  PenstockRequests(Report report) {
    this.report = report.toJson();
  }
}
