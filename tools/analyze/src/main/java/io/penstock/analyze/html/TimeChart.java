/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import static io.penstock.analyze.html.Sketch.RIGHT;
import static io.penstock.analyze.html.Sketch.number;

import io.penstock.tables.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Shows rates over time, with one value for each step.
 *
 * @param startMillis the time of the first value; 0 for time since a start
 * @param panels one above the other, with the same axes
 * @param isStacked true if the series of a panel are parts of a whole
 * @param limits horizontal lines at a rate
 * @param view the part that is shown first; the reader may move on to the whole
 */
public record TimeChart(
    long startMillis,
    long stepMillis,
    boolean isStacked,
    List<Panel> panels,
    List<Mark> limits,
    List<Band> bands,
    Optional<View> view)
    implements Chart {

  /** A chart with at most so many values has no slider; report.js has the same number. */
  static final int WITHOUT_SLIDER = 60;

  private static final double LEFT = 60;
  private static final double PANEL = 190;
  private static final double TOP = 26;
  private static final double FOOT = 26;
  private static final int MOST_BANDS_NAMED = 12;

  /** A part of the time. */
  public record View(long fromMillis, long toMillis) {}

  /** A named group of series. The name is empty if the chart has only one panel. */
  public record Panel(String name, List<ChartSeries> series) {
    /** Returns the same panel with other values in each series. */
    Panel with(UnaryOperator<List<Double>> change) {
      return new Panel(name, series.stream().map(one -> one.with(change)).toList());
    }
  }

  /** A named period of time. */
  public record Band(String name, long fromMillis, long toMillis) {
    void write(ChartJson json) throws IOException {
      json.text("name", name);
      json.whole("from", fromMillis);
      json.whole("to", toMillis);
    }
  }

  @Override
  public void write(ChartJson json) throws IOException {
    json.text("type", "time");
    json.whole("start", startMillis);
    json.whole("step", stepMillis);
    json.flag("stacked", isStacked);
    json.objects(
        "panels",
        panels,
        panel -> {
          json.text("name", panel.name());
          json.objects("series", panel.series(), series -> series.write(json));
        });
    json.objects("limits", limits, limit -> limit.write(json));
    json.objects("bands", bands, band -> band.write(json));
    if (view.isPresent()) {
      json.whole("from", view.get().fromMillis());
      json.whole("to", view.get().toMillis());
    }
  }

  @Override
  public void sketch(Sketch sketch) {
    sketch.height(panels.size() * PANEL + FOOT);
    double max = Math.max(top(), limits.stream().mapToDouble(Mark::at).max().orElse(0)) * 1.05;
    for (int i = 0; i < panels.size(); i++) {
      panel(sketch, panels.get(i), i * PANEL, max);
    }
    sketch.legend(panels.get(0).series(), LEFT);
  }

  private double top() {
    return panels.stream().mapToDouble(panel -> rows(panel).get(0).max()).max().orElse(1);
  }

  /**
   * Returns the curves of a panel, highest first. In a stack, each series is added to the series
   * below it.
   */
  private List<ChartSeries> rows(Panel panel) {
    if (!isStacked) {
      return panel.series().stream()
          .sorted(java.util.Comparator.comparingDouble(ChartSeries::max).reversed())
          .toList();
    }
    List<ChartSeries> rows = new ArrayList<>();
    double[] sums = new double[panel.series().get(0).values().size()];
    for (ChartSeries series : panel.series()) {
      for (int i = 0; i < sums.length; i++) {
        sums[i] += series.values().get(i);
      }
      rows.add(
          0,
          new ChartSeries(
              series.name(), series.role(), java.util.Arrays.stream(sums).boxed().toList()));
    }
    return rows;
  }

  private void panel(Sketch sketch, Panel panel, double offset, double max) {
    double top = offset + TOP;
    double bottom = offset + PANEL;
    int steps = panel.series().get(0).values().size();
    Axis x =
        Axis.linear((double) startMillis, startMillis + (double) steps * stepMillis, LEFT, RIGHT);
    Axis y = Axis.linear(0, max, bottom, top);
    bands(sketch, x, top, bottom);
    sketch.yAxis(y, Tick.fromZero(max, 6, Kind.RATE), LEFT, RIGHT);
    List<Tick> ticks = Tick.times(x.min(), x.max(), 8);
    boolean isLast = offset + PANEL * 1.5 > panels.size() * PANEL;
    sketch.xAxis(x, isLast ? ticks : List.of(), top, bottom);
    for (ChartSeries series : rows(panel)) {
      String d = line(Thin.to(series.values(), 600), x, y);
      if (isStacked) {
        String foot = "V" + number(bottom) + "H" + number(LEFT) + "Z";
        sketch.path(d + foot, "fill-" + series.role());
      } else {
        sketch.path(d, "line-" + series.role());
      }
    }
    for (Mark limit : limits) {
      sketch.line(LEFT, y.at(limit.at()), RIGHT, y.at(limit.at()), "mark");
      sketch.text(RIGHT, y.at(limit.at()) - 3, "end", limit.name());
    }
    if (!panel.name().isEmpty()) {
      sketch.text(RIGHT, top - 6, "end", panel.name());
    }
  }

  private void bands(Sketch sketch, Axis x, double top, double bottom) {
    for (int i = 0; i < bands.size(); i++) {
      Band band = bands.get(i);
      double from = x.at((double) band.fromMillis());
      double width = x.at((double) band.toMillis()) - from;
      sketch.rect(from, top, width, bottom - top, i % 2 == 0 ? "band" : "band other");
      if (bands.size() <= MOST_BANDS_NAMED && width > 50) {
        sketch.text(from + 3, bottom - 4, "start", band.name());
      }
    }
  }

  private static String line(List<Double> values, Axis x, Axis y) {
    StringBuilder d = new StringBuilder();
    double step = (x.to() - x.from()) / values.size();
    for (int i = 0; i < values.size(); i++) {
      d.append(i == 0 ? "M" : "L").append(number(x.from() + (i + 0.5) * step));
      d.append(' ').append(number(y.at(values.get(i))));
    }
    return d.toString();
  }
}
