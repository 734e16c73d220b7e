/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import static io.penstock.analyze.html.Sketch.RIGHT;

import io.penstock.tables.format.Values;
import java.io.IOException;
import java.util.List;

/**
 * Shows what ran at which time: each bar reaches from its start to its end, in lanes from top to
 * bottom.
 */
public record GanttChart(List<String> lanes, List<Bar> bars, List<ChartSeries> legend)
    implements Chart {
  private static final double LEFT = 190;
  private static final double TOP = 26;
  private static final int NAME = 28;

  /**
   * A bar in a lane.
   *
   * @param label the text at the end of the bar
   * @param share the share of the bar's length that has a stronger colour, 0 to 1
   */
  public record Bar(
      int lane, long fromMillis, long toMillis, String role, String label, double share) {
    void write(ChartJson json) throws IOException {
      json.whole("lane", lane);
      json.whole("from", fromMillis);
      json.whole("to", toMillis);
      json.text("role", role);
      json.text("label", label);
      json.number("share", share);
    }
  }

  @Override
  public void write(ChartJson json) throws IOException {
    json.text("type", "gantt");
    json.texts("lanes", lanes);
    json.objects("bars", bars, bar -> bar.write(json));
    json.objects("legend", legend, one -> one.write(json));
  }

  @Override
  public void sketch(Sketch sketch) {
    double lane = lanes.size() > 20 ? 14 : 22;
    double bottom = TOP + lanes.size() * lane;
    sketch.height(bottom + 26);
    long start = bars.stream().mapToLong(Bar::fromMillis).min().orElse(0);
    long end = bars.stream().mapToLong(Bar::toMillis).max().orElse(1);
    Axis x = Axis.linear((double) start, (double) end, LEFT, RIGHT - 110);
    sketch.xAxis(x, Tick.times(x.min(), x.max(), 6), TOP, bottom);
    for (int i = 0; i < lanes.size(); i++) {
      String name = Values.cut(Values.visible(lanes.get(i)), NAME);
      sketch.text(LEFT - 6, TOP + (i + 0.5) * lane + 4, "end", name);
    }
    for (Bar bar : bars) {
      double from = x.at((double) bar.fromMillis());
      double width = Math.max(x.at((double) bar.toMillis()) - from, 2);
      double top = TOP + bar.lane() * lane + 3;
      sketch.rect(from, top, width, lane - 6, "fill-" + bar.role() + " pale");
      sketch.rect(from, top, width * bar.share(), lane - 6, "fill-" + bar.role());
      String label = Values.cut(Values.visible(bar.label()), 18);
      sketch.text(from + width + 4, top + lane / 2, "start", label);
    }
    sketch.legend(legend, LEFT);
  }
}
