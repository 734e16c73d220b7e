/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import io.penstock.tables.Kind;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import io.penstock.tables.format.Values;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Plots the stages that Spark ran at the same time: P10. */
public final class StagePlots {
  private static final Label STAGES = new Label("P10", "stages-over-time", "When stages ran");

  private StagePlots() {}

  /** Draws the rows of stages-over-time.sql: the longest stages, with the earliest at the top. */
  public static Plot stages(Table stages) {
    List<Integer> order = new ArrayList<>();
    for (int row = 0; row < stages.rows().size(); row++) {
      if (stages.at(row, "submitted") instanceof Instant
          && stages.at(row, "completed") instanceof Instant) {
        order.add(row);
      }
    }
    order.sort(Comparator.comparing(row -> (Instant) stages.at(row, "submitted")));
    List<String> lanes = new ArrayList<>();
    List<GanttChart.Bar> bars = new ArrayList<>();
    for (int row : order) {
      lanes.add("%d %s".formatted(stages.count(row, "stage_id"), stages.text(row, "name")));
      bars.add(bar(stages, row, lanes.size() - 1));
    }
    List<ChartSeries> legend =
        List.of(
            new ChartSeries(
                "stage, the strong part is the share of its tasks' time spent reading",
                "s3",
                List.of()));
    String note =
        "From submitted to completed. The strongly coloured part is not a time of its own, but the"
            + " share of the tasks' run time that went into scanning files.";
    return bars.isEmpty()
        ? Plot.empty(STAGES, note, stages)
        : new Plot(STAGES, note, new GanttChart(lanes, bars, legend), stages);
  }

  private static GanttChart.Bar bar(Table stages, int row, int lane) {
    long from = ((Instant) stages.at(row, "submitted")).toEpochMilli();
    long to = ((Instant) stages.at(row, "completed")).toEpochMilli();
    double run = stages.number(row, "run_ms");
    double scan = run > 0 ? Math.min(stages.number(row, "scan_ms") / run, 1) : 0;
    String label = Values.of(Kind.MILLIS, (double) (to - from));
    if (scan > 0) {
      label += ", scan " + Math.round(scan * 100) + " %";
    }
    return new GanttChart.Bar(lane, from, to, "s3", label, scan);
  }
}
