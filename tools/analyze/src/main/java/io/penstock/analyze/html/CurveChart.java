/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import static io.penstock.analyze.html.Sketch.RIGHT;
import static io.penstock.analyze.html.Sketch.number;

import io.penstock.tables.Kind;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;

/**
 * Draws one measure against another as curves.
 *
 * @param xBase 0 for a linear x axis; otherwise the base of the powers at which the x axis has
 *     labels
 * @param isSteps true if a value holds up to the next x, as in a histogram
 */
public record CurveChart(
    String xName,
    Kind xKind,
    double xBase,
    String yName,
    Kind yKind,
    boolean isLogY,
    boolean isSteps,
    List<Curve> curves,
    List<Mark> marks)
    implements Chart {

  private static final double LEFT = 76;
  private static final double TOP = 28;
  private static final double BOTTOM = 240;

  /** A named line through points. The values of the series are the y values, one for each x. */
  public record Curve(ChartSeries series, List<Double> xs) {
    public Curve {
      if (xs.size() != series.values().size()) {
        throw new IllegalArgumentException("a curve needs a value for each x");
      }
    }
  }

  @Override
  public void write(ChartJson json) throws IOException {
    json.text("type", "curve");
    json.text("xName", xName);
    json.text("xKind", xKind.name());
    json.number("xBase", xBase);
    json.text("yName", yName);
    json.text("yKind", yKind.name());
    json.flag("logY", isLogY);
    json.flag("steps", isSteps);
    json.objects(
        "curves",
        curves,
        curve -> {
          curve.series().write(json);
          json.numbers("xs", curve.xs());
        });
    json.objects("marks", marks, mark -> mark.write(json));
  }

  @Override
  public void sketch(Sketch sketch) {
    sketch.height(BOTTOM + 40);
    double maxY = curves.stream().mapToDouble(curve -> curve.series().max()).max().orElse(1);
    maxY = isLogY ? maxY : maxY * 1.08;
    double minX = ends(true);
    double maxX = ends(false);
    Axis x = xBase > 0 ? Axis.log(minX, maxX, LEFT, RIGHT) : Axis.linear(minX, maxX, LEFT, RIGHT);
    Axis y = isLogY ? Axis.log(least(), maxY, BOTTOM, TOP) : Axis.linear(0, maxY, BOTTOM, TOP);
    sketch.yAxis(
        y,
        isLogY ? Tick.powers(y.min(), y.max(), 10, yKind) : Tick.fromZero(y.max(), 5, yKind),
        LEFT,
        RIGHT);
    List<Tick> ticks =
        xBase > 0 ? Tick.powers(minX, maxX, xBase, xKind) : Tick.fromZero(maxX, 8, xKind);
    sketch.xAxis(x, ticks.stream().filter(tick -> tick.at() >= minX).toList(), TOP, BOTTOM);
    for (int i = 0; i < marks.size(); i++) {
      if (marks.get(i).at() > minX && marks.get(i).at() < maxX) {
        // Alternating heights, so that the names of marks that are close together can be read.
        sketch.mark(x, marks.get(i), TOP, BOTTOM, i % 2 * 12);
      }
    }
    curves.forEach(curve -> sketch.path(line(curve, x, y), "line-" + curve.series().role()));
    sketch.text((LEFT + RIGHT) / 2, BOTTOM + 33, "middle", xName);
    // What stands back is drawn first, but named last.
    sketch.legend(
        curves.stream()
            .map(Curve::series)
            .sorted(Comparator.comparing(series -> series.role().equals(ChartSeries.REST)))
            .toList(),
        LEFT);
  }

  private double ends(boolean isMin) {
    var xs = curves.stream().flatMap(curve -> curve.xs().stream()).mapToDouble(x -> x);
    return (isMin ? xs.min() : xs.max()).orElse(1);
  }

  private double least() {
    return curves.stream()
        .flatMap(curve -> curve.series().values().stream())
        .filter(value -> value > 0)
        .mapToDouble(value -> value)
        .min()
        .orElse(1);
  }

  private String line(Curve curve, Axis x, Axis y) {
    StringBuilder d = new StringBuilder();
    for (int i = 0; i < curve.xs().size(); i++) {
      String at = number(x.at(curve.xs().get(i)));
      if (d.length() > 0 && isSteps) {
        d.append('H').append(at);
      }
      d.append(d.length() == 0 ? "M" : "L").append(at).append(' ');
      d.append(number(y.at(curve.series().values().get(i))));
    }
    return d.toString();
  }
}
