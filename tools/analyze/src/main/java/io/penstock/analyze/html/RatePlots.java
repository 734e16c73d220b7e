/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import io.penstock.tables.Column;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Plots the rate of requests over time: P1, P2 and P12. */
public final class RatePlots {
  private static final Label REQUESTS =
      new Label("P1", "requests-over-time", "Requests and throttled requests a second");
  private static final Label BY_API =
      new Label("P2", "operations-over-time", "Requests a second by API");
  private static final Label COMPARED =
      new Label("P12", "runs-compared", "Requests and throttled requests a second, side by side");

  /** The requests a second that one partition accepts, according to S3's documentation. */
  private static final List<Mark> LIMITS =
      List.of(new Mark("3,500 writes/s", 3_500), new Mark("5,500 reads/s", 5_500));

  /** Below this rate the limits are not drawn: they are far off and would flatten the curve. */
  private static final double NEAR_LIMITS = 1_000;

  private static final double SHOWN_SHARE = 0.99;

  /** If the requests take more of the time than this, the whole time is shown. */
  private static final double MOST_OF_ALL = 0.6;

  private static final int MOST_SECONDS = 100_000;
  private static final int MOST_STACKED = 400;
  private static final int MOST_APIS = 7;
  private static final int ROWS = 40;

  private RatePlots() {}

  /**
   * Returns P1: the requests and throttled requests a second.
   *
   * @param seconds the rows of requests-over-time.sql
   * @param stages the rows of stages-over-time.sql, or a table without rows
   */
  public static Plot requests(Table seconds, Table stages) {
    String note =
        "Requests S3 got and those it answered with Slow Down, a second. Seconds without requests"
            + " are zero. The lines are what S3 says it takes from one partition of a bucket.";
    if (seconds.isEmpty()) {
      return Plot.empty(REQUESTS, note, seconds);
    }
    Grid grid = grid(seconds);
    List<ChartSeries> series = new ArrayList<>(rates(seconds, grid));
    if (grid.stepMillis() > 1_000) {
      series.add(new ChartSeries("busiest second", "s6", grid.peaks(seconds, "peak")));
    }
    boolean isNear = series.stream().anyMatch(one -> one.max() >= NEAR_LIMITS);
    TimeChart chart =
        thin(
            grid.startMillis(),
            grid.stepMillis(),
            List.of(new TimeChart.Panel("", series)),
            isNear ? LIMITS : List.of(),
            bands(stages),
            view(seconds, grid));
    String shown =
        chart.view().isEmpty()
            ? ""
            : " The plot opens where 99 % of them are; the slider below it shows the rest.";
    return new Plot(REQUESTS, note + shown, chart, summary(seconds));
  }

  /**
   * Draws the rows of operations-over-time.sql: the rate of each API, stacked. The rarest APIs are
   * one series.
   */
  public static Plot byApi(Table apis) {
    String note = "One on top of the other, so that the upper edge is all requests.";
    if (apis.isEmpty()) {
      return Plot.empty(BY_API, note, apis);
    }
    Map<String, Long> totals = new LinkedHashMap<>();
    for (int row = 0; row < apis.rows().size(); row++) {
      totals.merge(apis.text(row, "api"), apis.count(row, "requests"), Long::sum);
    }
    List<String> names =
        totals.entrySet().stream()
            .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
            .map(Map.Entry::getKey)
            .toList();
    Grid grid = Grid.over(apis, Grid.span(apis), MOST_STACKED);
    Map<String, List<Double>> sums = new LinkedHashMap<>();
    names.stream().limit(MOST_APIS).forEach(name -> sums.put(name, grid.zeros()));
    for (int row = 0; row < apis.rows().size(); row++) {
      List<Double> values =
          sums.getOrDefault(
              apis.text(row, "api"), sums.computeIfAbsent("others", name -> grid.zeros()));
      int index = grid.index(apis, row);
      values.set(index, values.get(index) + apis.number(row, "requests"));
    }
    if (names.size() <= MOST_APIS) {
      sums.remove("others");
    }
    List<ChartSeries> series = new ArrayList<>();
    sums.forEach(
        (name, values) ->
            series.add(new ChartSeries(name, ChartSeries.ofApi(name), grid.rates(values))));
    TimeChart chart =
        new TimeChart(
            grid.startMillis(),
            grid.stepMillis(),
            true,
            List.of(new TimeChart.Panel("", series)),
            List.of(),
            List.of(),
            Optional.empty());
    return new Plot(BY_API, note, chart, apiTable(names, totals));
  }

  /**
   * Draws the rows of requests-over-time.sql of two runs, one above the other, each from its own
   * start.
   */
  public static Plot compare(String nameA, Table a, String nameB, Table b) {
    String note = "Both from their first request on, with the same axes.";
    if (a.isEmpty() || b.isEmpty()) {
      return Plot.empty(COMPARED, note, a);
    }
    Grid gridA = grid(a);
    Grid gridB = grid(b);
    long step = Math.max(gridA.stepMillis(), gridB.stepMillis());
    gridA = Grid.over(a, step, MOST_SECONDS);
    gridB = Grid.over(b, step, MOST_SECONDS);
    int steps = Math.max(gridA.steps(), gridB.steps());
    List<TimeChart.Panel> panels =
        List.of(
            new TimeChart.Panel(nameA, padded(rates(a, gridA), steps)),
            new TimeChart.Panel(nameB, padded(rates(b, gridB), steps)));
    TimeChart chart = thin(0, step, panels, List.of(), List.of(), Optional.empty());
    return new Plot(COMPARED, note, chart, pair(nameA, a, nameB, b));
  }

  private static Grid grid(Table seconds) {
    return Grid.over(seconds, Math.max(seconds.count(0, "span_s"), 1) * 1_000, MOST_SECONDS);
  }

  private static List<ChartSeries> rates(Table seconds, Grid grid) {
    return List.of(
        new ChartSeries("requests/s", "requests", grid.rates(grid.sums(seconds, "requests"))),
        new ChartSeries("throttled/s", "throttled", grid.rates(grid.sums(seconds, "throttled"))));
  }

  private static List<ChartSeries> padded(List<ChartSeries> series, int steps) {
    return series.stream().map(one -> one.with(values -> withZeros(values, steps))).toList();
  }

  private static List<Double> withZeros(List<Double> values, int steps) {
    return Stream.concat(values.stream(), Stream.generate(() -> 0.0)).limit(steps).toList();
  }

  private static TimeChart thin(
      long start,
      long step,
      List<TimeChart.Panel> panels,
      List<Mark> limits,
      List<TimeChart.Band> bands,
      Optional<TimeChart.View> view) {
    int size = panels.get(0).series().get(0).values().size();
    long newStep = step * Thin.stretch(size, Thin.MOST) / 2;
    List<TimeChart.Panel> thinned =
        panels.stream().map(panel -> panel.with(values -> Thin.to(values, Thin.MOST))).toList();
    return new TimeChart(start, newStep, false, thinned, limits, bands, view);
  }

  /**
   * Returns the shortest time with 99 % of the requests, with a margin; empty if that is most of
   * the whole time.
   */
  private static Optional<TimeChart.View> view(Table seconds, Grid grid) {
    List<Double> requests = grid.sums(seconds, "requests");
    double wanted = SHOWN_SHARE * requests.stream().mapToDouble(count -> count).sum();
    int from = 0;
    int best = 0;
    int shortest = requests.size();
    double inside = 0;
    for (int to = 0; to < requests.size(); to++) {
      inside += requests.get(to);
      while (inside - requests.get(from) >= wanted) {
        inside -= requests.get(from);
        from++;
      }
      if (inside >= wanted && to + 1 - from < shortest) {
        shortest = to + 1 - from;
        best = from;
      }
    }
    if (shortest > MOST_OF_ALL * requests.size() || requests.size() <= TimeChart.WITHOUT_SLIDER) {
      return Optional.empty();
    }
    int margin = Math.max(2, shortest / 10);
    long begin = grid.time(Math.max(0, best - margin)).toEpochMilli();
    int end = Math.min(requests.size(), best + shortest + margin);
    return Optional.of(
        new TimeChart.View(begin, grid.startMillis() + (long) end * grid.stepMillis()));
  }

  private static List<TimeChart.Band> bands(Table stages) {
    List<TimeChart.Band> bands = new ArrayList<>();
    for (int row = 0; row < stages.rows().size(); row++) {
      if (stages.at(row, "submitted") instanceof Instant from
          && stages.at(row, "completed") instanceof Instant to) {
        String name = "stage " + stages.count(row, "stage_id");
        bands.add(new TimeChart.Band(name, from.toEpochMilli(), to.toEpochMilli()));
      }
    }
    bands.sort(java.util.Comparator.comparingLong(TimeChart.Band::fromMillis));
    return bands;
  }

  private static Table summary(Table seconds) {
    Grid grid = Grid.over(seconds, grid(seconds).stepMillis(), ROWS);
    List<Double> requests = grid.sums(seconds, "requests");
    List<Double> throttled = grid.sums(seconds, "throttled");
    List<Double> peaks = grid.peaks(seconds, "peak");
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < grid.steps(); i++) {
      double all = requests.get(i);
      rows.add(
          List.of(
              grid.time(i),
              (long) all,
              all * 1_000 / grid.stepMillis(),
              peaks.get(i),
              (long) (double) throttled.get(i),
              all == 0 ? 0.0 : 100 * throttled.get(i) / all));
    }
    return new Table(
        REQUESTS.id(),
        "by " + grid.stepMillis() / 1_000 + " s",
        Column.list(
            "from time, requests count, mean rate, busiest second rate, throttled count,"
                + " throttled_pct percent"),
        rows);
  }

  private static Table apiTable(List<String> names, Map<String, Long> totals) {
    long all = totals.values().stream().mapToLong(total -> total).sum();
    List<List<Object>> rows = new ArrayList<>();
    for (String name : names) {
      rows.add(List.of(name, totals.get(name), 100.0 * totals.get(name) / Math.max(all, 1)));
    }
    return new Table(
        BY_API.id(),
        "Requests by API",
        Column.list("api text, requests count, share_pct percent"),
        rows);
  }

  private static Table pair(String nameA, Table a, String nameB, Table b) {
    List<List<Object>> rows = new ArrayList<>();
    rows.add(totals(nameA, a));
    rows.add(totals(nameB, b));
    return new Table(
        COMPARED.id(),
        "Both in numbers",
        Column.list(
            "run text, requests count, throttled count, throttled_pct percent, busiest second rate,"
                + " took_s seconds"),
        rows);
  }

  private static List<Object> totals(String name, Table table) {
    long requests = (long) table.sum("requests");
    long throttled = (long) table.sum("throttled");
    Grid grid = grid(table);
    double seconds = grid.steps() * grid.stepMillis() / 1_000.0;
    double share = 100.0 * throttled / Math.max(requests, 1);
    double peak = Collections.max(grid.peaks(table, "peak"));
    return List.of(name, requests, throttled, share, peak, seconds);
  }
}
