/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

/** A line across a chart at a value, with a name. */
public record Mark(String name, double at) {
  void write(ChartJson json) throws java.io.IOException {
    json.text("name", name);
    json.number("at", at);
  }
}
