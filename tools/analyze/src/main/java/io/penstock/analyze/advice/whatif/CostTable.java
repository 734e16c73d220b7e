/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.whatif;

import io.penstock.analyze.advice.Prices;
import io.penstock.analyze.analysis.Analysis;
import io.penstock.analyze.engine.QueryEngine;
import io.penstock.tables.Column;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Computes table T15: what the requests cost, and the cores that waited for them. S3 does not bill
 * 5xx answers, and deletes are free.
 */
public final class CostTable {
  public static final Label LABEL = new Label("T15", "cost", "What the requests cost");

  /** The query that counts requests by billing class. */
  public static final Analysis BILLED = Analysis.named(CostTable.class, "billed.sql");

  private static final List<Column> COLUMNS =
      Column.list("what text, billed count, per_1000 dollars, core_hours number, cost dollars");

  private CostTable() {}

  /**
   * Runs the query and returns the table.
   *
   * @throws IOException when a query fails; see {@link QueryEngine#rows}
   */
  public static Table table(QueryEngine engine, Prices prices) throws IOException {
    return table(BILLED.run(engine), new Waiting(Waiting.QUERY.run(engine)), prices);
  }

  /** Returns true if a row of the table is of requests that S3 bills. */
  public static boolean isOfRequests(Table costs, int row) {
    return costs.at(row, "core_hours") == null && !costs.text(row, "what").startsWith("CloudTrail");
  }

  /** Returns the table; it is empty if there are no requests. */
  static Table table(Table billed, Waiting waiting, Prices prices) {
    List<List<Object>> rows = new ArrayList<>();
    long writes = sum(billed, "W");
    long lists = sum(billed, "L");
    long reads = sum(billed, "R");
    if (!billed.isEmpty()) {
      rows.add(row("writes (PUT, COPY, POST)", writes, prices.write()));
      rows.add(row("lists", lists, prices.write()));
      rows.add(row("reads (GET, HEAD)", reads, prices.read()));
      rows.add(row("deletes", sum(billed, "D"), 0));
      rows.add(
          row(
              "CloudTrail data events, where they are logged",
              (long) billed.sum("requests"),
              prices.trail()));
      for (Waiting.Cause cause : Waiting.Cause.values()) {
        if (waiting.coreHours(cause) > 0) {
          rows.add(row(waiting, cause, prices));
        }
      }
    }
    return new Table(LABEL, COLUMNS, rows);
  }

  private static List<Object> row(String what, long billed, double price) {
    return Arrays.asList(what, billed, price * 1_000, null, billed * price);
  }

  private static List<Object> row(Waiting waiting, Waiting.Cause cause, Prices prices) {
    return Arrays.asList(
        cause.words(), null, null, waiting.coreHours(cause), waiting.cost(cause, prices));
  }

  private static long sum(Table billed, String kind) {
    long sum = 0;
    for (int row = 0; row < billed.rows().size(); row++) {
      sum += billed.text(row, "class").equals(kind) ? billed.count(row, "billed") : 0;
    }
    return sum;
  }
}
