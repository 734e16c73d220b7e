/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import io.penstock.tables.format.Values;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Plots retries. */
public final class RetryPlots {
  private static final Label TIMELINE =
      new Label("P7", "attempts-at-one-object", "The attempts at one object");
  private static final Label ATTEMPTS =
      new Label("P11", "attempts-histogram", "How many attempts requests took");
  private static final Label WAITS =
      new Label("P13", "waits-histogram", "How long requests waited for their attempts");
  private static final int MOST_BARS = 40;
  private static final int MOST_ATTEMPTS = 30;
  private static final int OK = 400;

  /** The query counts more attempts together. */
  private static final long MOST_TOLD = 10;

  private static final List<ChartSeries> LEGEND =
      List.of(
          new ChartSeries("answered", "requests", List.of()),
          new ChartSeries("throttled", "throttled", List.of()),
          new ChartSeries("failed or cut short", "s2", List.of()));

  private RetryPlots() {}

  /**
   * Returns P7: the attempts at one object, one lane for each.
   *
   * @param history the attempts at one key, in order: {@code started} time, {@code ended} time,
   *     {@code api} text, {@code part_no} count, {@code attempt} count, {@code status} count,
   *     {@code err} text
   * @param what the object, for the note
   */
  public static Plot timeline(Table history, String what) {
    List<String> lanes = new ArrayList<>();
    List<GanttChart.Bar> bars = new ArrayList<>();
    for (int row = 0; row < Math.min(history.rows().size(), MOST_BARS); row++) {
      if (history.at(row, "started") instanceof Instant from) {
        Instant to = history.at(row, "ended") instanceof Instant end ? end : from;
        lanes.add(lane(history, row));
        bars.add(
            new GanttChart.Bar(
                lanes.size() - 1,
                from.toEpochMilli(),
                to.toEpochMilli(),
                role(history, row),
                label(history, row, to.toEpochMilli() - from.toEpochMilli()),
                1));
      }
    }
    String note =
        what.isEmpty() ? "" : "Every request for " + what + ", from its start to its end.";
    return bars.isEmpty()
        ? Plot.empty(TIMELINE, note, history)
        : new Plot(TIMELINE, note, new GanttChart(lanes, bars, LEGEND), history);
  }

  private static String lane(Table attempts, int row) {
    String part = attempts.at(row, "part_no") == null ? "" : " " + attempts.count(row, "part_no");
    long attempt = attempts.count(row, "attempt");
    return attempts.text(row, "api") + part + (attempt > 1 ? ", attempt " + attempt : "");
  }

  private static String role(Table attempts, int row) {
    long status = attempts.count(row, "status");
    if (status == 503 || status == 429) {
      return "throttled";
    }
    return status > 0 && status < OK ? "requests" : "s2";
  }

  private static String label(Table attempts, int row, long millis) {
    String status = attempts.at(row, "status") == null ? "" : attempts.text(row, "status") + ", ";
    return status + Values.of(Kind.MILLIS, (double) millis);
  }

  /**
   * Draws the number of requests for each number of attempts.
   *
   * @param attempts a row for each number of attempts, in order: {@code attempts} count, {@code
   *     chains} count, {@code waited_s} seconds
   */
  public static Plot attempts(Table attempts) {
    return bars(
        ATTEMPTS,
        "On a scale of powers of ten: most requests take one attempt.",
        attempts,
        "requests",
        "chains",
        Kind.COUNT,
        "requests");
  }

  /** Draws how long requests waited in all, by their number of attempts, from the same rows. */
  public static Plot waits(Table attempts) {
    return bars(
        WAITS,
        "From the first attempt to the last, all requests together; on a scale of powers of ten.",
        attempts,
        "time waited",
        "waited_s",
        Kind.SECONDS,
        "s2");
  }

  private static Plot bars(
      Label label,
      String note,
      Table attempts,
      String name,
      String column,
      Kind kind,
      String role) {
    List<String> things = new ArrayList<>();
    List<Double> values = new ArrayList<>();
    List<List<Object>> rows = new ArrayList<>();
    for (int row = 0; row < Math.min(attempts.rows().size(), MOST_ATTEMPTS); row++) {
      long count = attempts.count(row, "attempts");
      things.add(count > MOST_TOLD ? "more" : Values.of(Kind.COUNT, count));
      values.add(attempts.number(row, column));
      rows.add(List.of(attempts.count(row, "attempts"), attempts.number(row, column)));
    }
    BarChart chart =
        new BarChart(
            "attempts until it was done or given up",
            things,
            kind,
            List.of(new ChartSeries(name, role, values)));
    Table behind =
        new Table(
            label.id(),
            name,
            List.of(new Column("attempts", Kind.COUNT), new Column(name, kind)),
            rows);
    return values.stream().anyMatch(value -> value > 0)
        ? new Plot(label, note, chart, behind)
        : Plot.empty(label, note, behind);
  }
}
