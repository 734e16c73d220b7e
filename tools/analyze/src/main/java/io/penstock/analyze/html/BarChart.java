/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import static io.penstock.analyze.html.Sketch.RIGHT;

import io.penstock.tables.Kind;
import java.io.IOException;
import java.util.List;

/**
 * A bar chart with one bar for each of a few things. The scale is logarithmic with base ten and
 * begins below 1.
 *
 * @param xName the name for the kind of things
 */
public record BarChart(String xName, List<String> things, Kind kind, List<ChartSeries> series)
    implements Chart {

  private static final double LEFT = 76;
  private static final double TOP = 28;
  private static final double BOTTOM = 220;
  private static final double LEAST = 0.5;

  @Override
  public void write(ChartJson json) throws IOException {
    json.text("type", "bars");
    json.text("xName", xName);
    json.text("kind", kind.name());
    json.texts("things", things);
    json.objects("series", series, one -> one.write(json));
  }

  @Override
  public void sketch(Sketch sketch) {
    sketch.height(BOTTOM + 40);
    double max = series.stream().mapToDouble(ChartSeries::max).max().orElse(1);
    Axis y = Axis.log(LEAST, Math.max(max, 1), BOTTOM, TOP);
    sketch.yAxis(y, Tick.powers(LEAST, y.max(), 10, kind), LEFT, RIGHT);
    double slot = (RIGHT - LEFT) / Math.max(things.size(), 1);
    double width = Math.min(slot * 0.7 / series.size(), 60);
    for (int i = 0; i < things.size(); i++) {
      double middle = LEFT + (i + 0.5) * slot;
      sketch.text(middle, BOTTOM + 15, "middle", things.get(i));
      for (int j = 0; j < series.size(); j++) {
        double at = middle + (j - series.size() / 2.0) * width;
        double top = y.at(series.get(j).values().get(i));
        sketch.rect(at, top, width - 1, BOTTOM - top, "fill-" + series.get(j).role());
      }
    }
    sketch.line(LEFT, BOTTOM, RIGHT, BOTTOM, "axis");
    sketch.text((LEFT + RIGHT) / 2, BOTTOM + 33, "middle", xName);
    sketch.legend(series, LEFT);
  }
}
