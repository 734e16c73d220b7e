/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import static io.penstock.analyze.html.Sketch.RIGHT;
import static io.penstock.analyze.html.Sketch.number;

import io.penstock.tables.format.Values;
import java.io.IOException;
import java.util.List;

/**
 * Shows by colour how much of something occurred in each row at each time.
 *
 * @param rows the names of the rows, from top to bottom
 * @param layers the measures that can be shown, with a value for each row and time; the first is
 *     shown at the start
 */
public record HeatChart(
    long startMillis, long stepMillis, int steps, List<String> rows, List<Layer> layers)
    implements Chart {

  private static final double LEFT = 190;
  private static final double TOP = 22;
  private static final int NAME = 28;
  private static final int DEPTHS = 12;

  /** The values of one measure, with one list for each row. */
  public record Layer(String name, String role, List<List<Double>> values) {
    double max() {
      return values.stream().flatMap(List::stream).mapToDouble(value -> value).max().orElse(0);
    }
  }

  @Override
  public void write(ChartJson json) throws IOException {
    json.text("type", "heat");
    json.whole("start", startMillis);
    json.whole("step", stepMillis);
    json.whole("steps", steps);
    json.texts("rows", rows);
    json.objects(
        "layers",
        layers,
        layer -> {
          json.text("name", layer.name());
          json.text("role", layer.role());
          json.number("max", layer.max());
          json.objects("rows", layer.values(), row -> json.numbers("v", row));
        });
  }

  @Override
  public void sketch(Sketch sketch) {
    double cell = rows.size() > 20 ? 12 : 15;
    double bottom = TOP + rows.size() * cell;
    sketch.height(bottom + 26);
    Layer layer = layers.get(0);
    Axis x =
        Axis.linear((double) startMillis, startMillis + (double) steps * stepMillis, LEFT, RIGHT);
    for (int row = 0; row < rows.size(); row++) {
      String name = Values.cut(Values.visible(rows.get(row)), NAME);
      sketch.text(LEFT - 6, TOP + (row + 0.75) * cell, "end", name);
    }
    sketch.text(
        LEFT,
        14,
        "start",
        layer.name()
            + ", at most "
            + Tick.label(io.penstock.tables.Kind.COUNT, layer.max())
            + " a cell");
    sketch.xAxis(x, Tick.times(x.min(), x.max(), 7), TOP, bottom);
    double max = layer.max();
    StringBuilder[] paths = new StringBuilder[DEPTHS + 1];
    for (int row = 0; row < rows.size(); row++) {
      row(depths(layer.values().get(row), max), TOP + row * cell, cell - 1, paths);
    }
    for (int depth = 1; depth <= DEPTHS; depth++) {
      if (paths[depth] != null) {
        sketch.cells(paths[depth].toString(), layer.role(), (double) depth / DEPTHS);
      }
    }
  }

  /** Draws adjacent cells of the same depth as one rectangle. */
  private void row(int[] depths, double y, double height, StringBuilder[] paths) {
    double width = (RIGHT - LEFT) / steps;
    int from = 0;
    for (int step = 1; step <= steps; step++) {
      int depth = depths[from];
      if (step < steps && depths[step] == depth) {
        continue;
      }
      if (depth > 0) {
        StringBuilder d = paths[depth] == null ? new StringBuilder() : paths[depth];
        paths[depth] = d.append('M').append(number(LEFT + from * width)).append(' ');
        d.append(number(y)).append('H').append(number(LEFT + step * width)).append('v');
        d.append(number(height)).append('H').append(number(LEFT + from * width)).append('z');
      }
      from = step;
    }
  }

  /**
   * Returns the colour depth of each value. The scale is a square root, so that small values stay
   * visible.
   */
  private static int[] depths(List<Double> values, double max) {
    return values.stream()
        .mapToInt(value -> value <= 0 ? 0 : (int) Math.ceil(Math.sqrt(value / max) * DEPTHS - 1e-9))
        .toArray();
  }
}
