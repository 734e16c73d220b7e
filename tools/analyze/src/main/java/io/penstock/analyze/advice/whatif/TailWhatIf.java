/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.whatif;

import io.penstock.analyze.analysis.Analysis;
import io.penstock.analyze.engine.QueryEngine;
import io.penstock.tables.Column;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes table T18: the time that a timeout, or a second attempt beside a slow one, would have
 * saved.
 */
public final class TailWhatIf {
  public static final Label LABEL =
      new Label(
          "T18",
          "what-if-timeout",
          "What a timeout or a hedge would have saved (in a stage of 1,000 tasks with 20 requests"
              + " each)");

  /** The query for the durations of answered requests. It scans all requests once. */
  public static final Analysis LATENCIES = Analysis.named(TailWhatIf.class, "latencies.sql");

  // A judgement: the timeouts of the rule slow-attempts, plus a few shorter and longer ones that
  // show the trend.
  private static final List<Integer> TIMEOUTS = List.of(1, 2, 5, 10, 15, 30);
  // A judgement: a stage as in many jobs. The request logs do not show the shape of the job's own
  // stages.
  private static final StageWall STAGE = new StageWall(1_000, 20);
  private static final List<Column> COLUMNS =
      Column.list(
          "api text, timeout_s count, requests_over count, extra percent, seconds_over seconds,"
              + " saved_by_abort seconds, saved_by_race seconds, stage_now seconds, stage_with"
              + " seconds");

  private TailWhatIf() {}

  /**
   * Runs the query and returns the table.
   *
   * @throws IOException when a query fails; see {@link QueryEngine#rows}
   */
  public static Table table(QueryEngine engine) throws IOException {
    return table(LATENCIES.run(engine));
  }

  /**
   * Returns the what-if of the API with the most seconds over the shortest timeout; empty if there
   * are no latencies.
   */
  public static Table table(Table latencies) {
    List<List<Object>> rows = new ArrayList<>();
    String api = slowest(latencies);
    LatencyHistogram seen = LatencyHistogram.of(latencies, api::equals, size -> true);
    if (seen.requests() > 0) {
      float[] sample = StageWall.sample(seen);
      double now = STAGE.seconds(sample, 0);
      for (int timeout : TIMEOUTS) {
        rows.add(
            List.of(
                api,
                (long) timeout,
                seen.over(timeout),
                100.0 * seen.over(timeout) / seen.requests(),
                seen.secondsOver(timeout),
                seen.savedByAbort(timeout),
                seen.savedByRace(timeout),
                now,
                STAGE.seconds(sample, timeout)));
      }
    }
    return new Table(LABEL, COLUMNS, rows);
  }

  private static String slowest(Table latencies) {
    String slowest = "";
    double most = -1;
    for (String api :
        latencies.rows().stream().map(row -> String.valueOf(row.get(0))).distinct().toList()) {
      double seconds = LatencyHistogram.of(latencies, api::equals, size -> true).secondsOver(1);
      if (seconds > most) {
        slowest = api;
        most = seconds;
      }
    }
    return slowest;
  }
}
