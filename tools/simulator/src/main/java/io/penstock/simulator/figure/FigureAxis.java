/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.figure;

import java.util.ArrayList;
import java.util.List;

/** An axis from 0 to its end, with a tick at every step. */
record FigureAxis(double end, double step) {
  private static final int TICKS_MAX = 10;

  /**
   * Returns an axis with steps of 1, 2 or 5 times a power of ten. Its last step includes the value.
   */
  static FigureAxis upTo(double value) {
    double power = Math.pow(10, Math.floor(Math.log10(value / TICKS_MAX)));
    for (int factor : new int[] {1, 2, 5, 10}) {
      double step = factor * power;
      if (value / step <= TICKS_MAX) {
        return new FigureAxis(Math.ceil(value / step) * step, step);
      }
    }
    throw new IllegalArgumentException("no axis up to " + value);
  }

  List<Double> ticks() {
    List<Double> ticks = new ArrayList<>();
    for (int i = 0; i <= Math.round(end / step); i++) {
      ticks.add(i * step);
    }
    return ticks;
  }
}
