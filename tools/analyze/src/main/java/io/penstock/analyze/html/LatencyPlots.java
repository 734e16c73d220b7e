/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import io.penstock.tables.format.Values;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Draws the report's three plots of how long requests took. Their ids are P3, P4 and P8. */
public final class LatencyPlots {
  private static final Label TAIL =
      new Label("P3", "latency-curve", "How many requests took longer");
  private static final Label HEAT =
      new Label("P4", "latency-over-time", "How long requests took, over time");
  private static final Label WHAT_IF =
      new Label("P8", "timeout-curve", "What a timeout would have saved");

  private static final List<Mark> MARKS =
      List.of(
          new Mark("1 s", 1_000),
          new Mark("5 s", 5_000),
          new Mark("10 s", 10_000),
          new Mark("30 s", 30_000),
          new Mark("60 s", 60_000));
  private static final List<String> OVER =
      List.of("over_1s", "over_5s", "over_10s", "over_30s", "over_60s");
  private static final int MOST_APIS = 6;

  private LatencyPlots() {}

  /**
   * Draws the rows of latency-curve.sql: the share of requests that took longer than each duration.
   */
  public static Plot tail(Table durations) {
    String note =
        "The share of requests that took longer than a duration, both on scales of powers of ten: a"
            + " tail that falls slowly to the right is what makes jobs wait. The operations with"
            + " most time in all are drawn.";
    Map<String, TreeMap<Long, Long>> apis = new TreeMap<>();
    for (int row = 0; row < durations.rows().size(); row++) {
      apis.computeIfAbsent(durations.text(row, "api"), api -> new TreeMap<>())
          .merge(durations.count(row, "bucket"), durations.count(row, "requests"), Long::sum);
    }
    // A rare operation may be the slowest: those with most time in all are drawn, however few.
    List<CurveChart.Curve> curves =
        apis.entrySet().stream()
            .sorted(Comparator.comparingLong(api -> -slow(api.getValue())))
            .map(api -> curve(api.getKey(), api.getValue(), ChartSeries.ofApi(api.getKey())))
            .filter(curve -> !curve.xs().isEmpty())
            .limit(MOST_APIS)
            .toList();
    CurveChart chart =
        new CurveChart(
            "took longer than",
            Kind.MILLIS,
            10,
            "share of requests",
            Kind.PERCENT,
            true,
            false,
            curves,
            MARKS);
    return curves.isEmpty()
        ? Plot.empty(TAIL, note, over(durations))
        : new Plot(TAIL, note, chart, over(durations));
  }

  /** Returns the time that requests took in all, in milliseconds. */
  private static long slow(Map<Long, Long> buckets) {
    return buckets.entrySet().stream()
        .mapToLong(bucket -> (long) (Math.pow(2, bucket.getKey() / 8.0) * bucket.getValue()))
        .sum();
  }

  private static long total(Map<Long, Long> buckets) {
    return buckets.values().stream().mapToLong(count -> count).sum();
  }

  private static CurveChart.Curve curve(String api, Map<Long, Long> buckets, String role) {
    long total = total(buckets);
    long left = total;
    List<Double> xs = new ArrayList<>();
    List<Double> shares = new ArrayList<>();
    for (Map.Entry<Long, Long> bucket : buckets.entrySet()) {
      left -= bucket.getValue();
      if (left > 0) {
        xs.add(Math.pow(2, bucket.getKey() / 8.0));
        shares.add(100.0 * left / total);
      }
    }
    return new CurveChart.Curve(new ChartSeries(api, role, shares), xs);
  }

  private static Table over(Table durations) {
    Map<String, long[]> counts = new TreeMap<>();
    for (int row = 0; row < durations.rows().size(); row++) {
      long[] count =
          counts.computeIfAbsent(durations.text(row, "api"), api -> new long[OVER.size() + 1]);
      count[0] += durations.count(row, "requests");
      for (int i = 0; i < OVER.size(); i++) {
        count[i + 1] += durations.count(row, OVER.get(i));
      }
    }
    List<List<Object>> rows = new ArrayList<>();
    counts.forEach(
        (api, count) -> {
          List<Object> row = new ArrayList<>(List.of(api));
          for (long one : count) {
            row.add(one);
          }
          rows.add(row);
        });
    rows.sort(Comparator.comparingLong(row -> -(Long) row.get(1)));
    List<Column> columns = new ArrayList<>(Column.list("api text, requests count"));
    MARKS.forEach(mark -> columns.add(new Column("> " + mark.name(), Kind.COUNT)));
    return new Table(TAIL.id(), "Requests that took longer", columns, rows);
  }

  /** Draws the rows of latency-over-time.sql: the number of requests by duration, over time. */
  public static Plot heat(Table durations) {
    String note =
        "Stronger colour is more requests; slow ones are above. Throttled answers are left out.";
    return new HeatRows(durations, "bucket", List.of("requests"))
        .byNumber(
            bucket ->
                Values.of(Kind.MILLIS, Math.pow(2, (double) bucket))
                    + " to "
                    + Values.of(Kind.MILLIS, Math.pow(2, bucket + 1.0)))
        .plot(HEAT, note, "took");
  }

  /**
   * Returns P8: the time that a timeout would save, and its cost.
   *
   * @param timeouts a row for each timeout, in order: {@code timeout_s} seconds, {@code extra}
   *     percent of requests that are sent again, {@code saved_by_abort} and {@code saved_by_race}
   *     seconds of requests that the timeout would save if the slow attempt is aborted, or if it
   *     continues beside the second attempt
   */
  public static Plot whatIf(Table timeouts) {
    String note =
        "The waiting that a second attempt after the timeout would have spared, for this very"
            + " distribution of durations; the table says what it would have cost in requests.";
    List<Double> xs = new ArrayList<>();
    List<Double> abort = new ArrayList<>();
    List<Double> race = new ArrayList<>();
    for (int row = 0; row < timeouts.rows().size(); row++) {
      xs.add(timeouts.number(row, "timeout_s") * 1_000);
      abort.add(Math.max(timeouts.number(row, "saved_by_abort"), 0));
      race.add(Math.max(timeouts.number(row, "saved_by_race"), 0));
    }
    CurveChart chart =
        new CurveChart(
            "timeout",
            Kind.MILLIS,
            10,
            "seconds of waiting saved",
            Kind.COUNT,
            false,
            false,
            List.of(
                new CurveChart.Curve(new ChartSeries("slow attempt raced (hedge)", "s3", race), xs),
                new CurveChart.Curve(
                    new ChartSeries("slow attempt given up", "requests", abort), xs)),
            List.of());
    boolean savesNothing = race.stream().allMatch(saved -> saved == 0);
    return xs.size() < 2 || savesNothing
        ? Plot.empty(WHAT_IF, note, timeouts)
        : new Plot(WHAT_IF, note, chart, timeouts);
  }
}
