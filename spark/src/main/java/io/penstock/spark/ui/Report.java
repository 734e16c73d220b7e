/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.ui;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.core.metrics.account.RequestSums;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * What an application has done to S3 up to a moment. It is the content of the tab, of its JSON and
 * of the event in the event log, so the names of its parts are a format: later versions may add
 * some, and never change any.
 *
 * @param version of the format
 * @param startedMillis the start of the counting, in milliseconds since 1970
 * @param nowMillis the moment of the report
 * @param isFinal true if the application has ended and all has been counted
 * @param total the sums of all requests
 * @param dollars what the requests cost at S3's list price
 * @param operations by operation, most requests first
 * @param rates what rate control allows now
 * @param queries by SQL query, most requests first
 * @param stages by query and stage, most requests first
 * @param paths by path, most requests first
 * @param clients by the library that made them, most requests first
 * @param executors by process, the most throttled first, and then by their requests
 * @param omitted how many rows of the lists of queries, stages, paths and executors are left out
 * @param hedges second attempts, and attempts that were cut because they were slow
 * @param points requests over time
 * @param findings what stands out, in words
 */
record Report(
    int version,
    String application,
    long startedMillis,
    long nowMillis,
    boolean isFinal,
    RequestSums total,
    double dollars,
    List<OperationRow> operations,
    List<RateRow> rates,
    List<Row> queries,
    List<Row> stages,
    List<Row> paths,
    List<Row> clients,
    List<Row> executors,
    Omitted omitted,
    Hedges hedges,
    List<Point> points,
    List<String> findings) {
  static final int VERSION = 1;

  Report {
    clients = clients == null ? List.of() : clients;
  }

  private static final ObjectMapper JSON =
      new ObjectMapper().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);

  /** The attempts of one operation; the quantiles are of all attempts, in milliseconds. */
  record OperationRow(
      String operation, long requests, double p50Millis, double p99Millis, double p999Millis) {}

  /**
   * What rate control allows all processes together.
   *
   * @param traffic {@code read} or {@code write}
   * @param prefix of the partition; empty for the whole bucket
   * @param perSecond requests a second; negative if there is no limit
   */
  record RateRow(String bucket, String traffic, String prefix, double perSecond) {}

  /**
   * The sums of one query, stage, path, client or executor.
   *
   * @param name the path, the client, or the id of the executor; empty for queries and stages
   * @param query number of the SQL query; -1 for none
   * @param stage number of the stage; -1 for the driver
   */
  record Row(
      String name, long query, long stage, long requests, double dollars, RequestSums sums) {}

  record Omitted(int queries, int stages, int paths, int executors) {}

  /**
   * Second attempts and cuts.
   *
   * @param started attempts that were made beside a slow one
   * @param won how often such an attempt answered first
   * @param denied second attempts that the budget did not allow
   */
  record Hedges(long started, long won, long denied, long deadlineCuts, long stallCuts) {}

  /**
   * The requests of a span of time.
   *
   * @param atMillis its end, in milliseconds since 1970
   * @param millis its length
   */
  record Point(
      long atMillis,
      long millis,
      long requests,
      long throttled,
      long failed,
      long sentBytes,
      long receivedBytes) {}

  /** Returns the same report with fewer rows. */
  Report first(int rowsMax) {
    return with(
        points,
        findings,
        new Omitted(
            omitted.queries() + Math.max(0, queries.size() - rowsMax),
            omitted.stages() + Math.max(0, stages.size() - rowsMax),
            omitted.paths() + Math.max(0, paths.size() - rowsMax),
            omitted.executors() + Math.max(0, executors.size() - rowsMax)),
        rowsMax);
  }

  /**
   * Returns the report of an application that does not run any more.
   *
   * @param replayed points from all reports in the log, if this one has none
   */
  Report inHistory(List<Point> replayed) {
    List<String> known = new ArrayList<>(findings);
    known.removeIf(finding -> finding.startsWith(Findings.RATE));
    if (!isFinal) {
      known.add(
          0,
          "The driver has not told its last requests: this is what it had counted until %s."
              .formatted(Instant.ofEpochMilli(nowMillis).truncatedTo(ChronoUnit.SECONDS)));
    }
    return with(points.isEmpty() ? replayed : points, known, omitted, Integer.MAX_VALUE);
  }

  private Report with(
      List<Point> otherPoints, List<String> otherFindings, Omitted nowOmitted, int rowsMax) {
    return new Report(
        version,
        application,
        startedMillis,
        nowMillis,
        isFinal,
        total,
        dollars,
        operations,
        first(rates, rowsMax),
        first(queries, rowsMax),
        first(stages, rowsMax),
        first(paths, rowsMax),
        clients,
        first(executors, rowsMax),
        nowOmitted,
        hedges,
        otherPoints,
        otherFindings);
  }

  static <T> List<T> first(List<T> rows, int max) {
    return List.copyOf(rows.subList(0, Math.min(max, rows.size())));
  }

  JsonNode toJson() {
    return JSON.valueToTree(this);
  }

  String toText() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a report always has a text", e);
    }
  }

  /**
   * Reads a report, also of a later version, whose additions are left out.
   *
   * @throws JsonProcessingException when it is none
   */
  static Report of(JsonNode json) throws JsonProcessingException {
    return JSON.treeToValue(json, Report.class);
  }
}
