/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import io.penstock.analyze.errortext.Redaction;
import java.time.Instant;

/**
 * A micro-batch of a streaming query.
 *
 * @param stateCommitMillis the sum over all tasks; null for a query without state
 */
record Batch(
    String queryId,
    String runId,
    String name,
    long batchId,
    Instant started,
    long triggerMillis,
    long walMillis,
    long commitMillis,
    Long stateCommitMillis,
    long inputRows) {

  /**
   * Returns true if a batch was run. Queries also report from time to time that there is no new
   * data.
   */
  static boolean isRun(SparkEvent progress) {
    SparkEvent durations = progress.object("durationMs");
    return durations.has("addBatch") || durations.has("walCommit");
  }

  static Batch of(SparkEvent progress) {
    SparkEvent durations = progress.object("durationMs");
    long rows = progress.count("numInputRows");
    for (SparkEvent source : progress.objects("sources")) {
      rows += progress.has("numInputRows") ? 0 : source.count("numInputRows");
    }
    Long state = null;
    for (SparkEvent operator : progress.objects("stateOperators")) {
      state = (state == null ? 0 : state) + operator.count("commitTimeMs");
    }
    return new Batch(
        Redaction.label(progress.text("id")),
        Redaction.label(progress.text("runId")),
        Redaction.label(progress.text("name")),
        progress.count("batchId"),
        instant(progress.text("timestamp")),
        durations.count("triggerExecution"),
        durations.count("walCommit"),
        durations.count("commitOffsets"),
        state,
        rows);
  }

  private static Instant instant(String text) {
    try {
      return text == null ? null : Instant.parse(text);
    } catch (java.time.format.DateTimeParseException e) {
      return null;
    }
  }
}
