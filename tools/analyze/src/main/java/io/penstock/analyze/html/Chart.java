/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import java.io.IOException;

/** A drawing as plain numbers: the script draws it with ECharts, and a sketch without it. */
public sealed interface Chart permits TimeChart, CurveChart, HeatChart, BarChart, GanttChart {
  /** Writes the fields of an object that has been begun. */
  void write(ChartJson json) throws IOException;

  void sketch(Sketch sketch);
}
