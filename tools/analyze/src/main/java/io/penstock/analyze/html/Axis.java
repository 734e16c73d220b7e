/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

/**
 * Maps values to positions in the drawing. A value outside the range is placed at the nearest end.
 */
record Axis(double min, double max, double from, double to, boolean isLog) {
  static Axis linear(double min, double max, double from, double to) {
    return new Axis(min, max > min ? max : min + 1, from, to, false);
  }

  static Axis log(double min, double max, double from, double to) {
    return new Axis(min, max > min ? max : min * 10, from, to, true);
  }

  double at(double value) {
    double inside = Math.min(Math.max(value, min), max);
    double share =
        isLog ? Math.log(inside / min) / Math.log(max / min) : (inside - min) / (max - min);
    return from + share * (to - from);
  }
}
