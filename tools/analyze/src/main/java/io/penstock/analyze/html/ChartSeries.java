/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Numbers that are drawn in one colour.
 *
 * @param role names the colour in the style sheet: requests, throttled, s1 to s8, or rest for what
 *     stands back
 */
public record ChartSeries(String name, String role, List<Double> values) {
  static final String REST = "rest";

  private static final int ROLES = 8;

  /** Returns the colour of the n-th series, counted from 0. The colours repeat. */
  static String role(int index) {
    return "s" + (index % ROLES + 1);
  }

  /** Returns the same series with other values, made of these. */
  ChartSeries with(UnaryOperator<List<Double>> change) {
    return new ChartSeries(name, role, change.apply(values));
  }

  double max() {
    return values.stream().filter(Double::isFinite).mapToDouble(value -> value).max().orElse(0);
  }

  void write(ChartJson json) throws java.io.IOException {
    json.text("name", name);
    json.text("role", role);
    json.numbers("values", values);
  }
}
