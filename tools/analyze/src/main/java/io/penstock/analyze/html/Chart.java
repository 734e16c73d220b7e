/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import java.io.IOException;

/**
 * A chart as plain numbers. The script draws it with ECharts; without JavaScript the page shows a
 * sketch.
 */
public sealed interface Chart permits TimeChart, CurveChart, HeatChart, BarChart, GanttChart {
  /** Writes the fields of this chart into a JSON object that is already open. */
  void write(ChartJson json) throws IOException;

  void sketch(Sketch sketch);
}
