/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.analyze;

import io.penstock.analyze.overview.Overview;
import io.penstock.cli.print.Wrapped;
import java.util.List;

/** Formats the first screen: a word in the left column and wrapped text beside it. */
final class OverviewText {
  private OverviewText() {}

  static String of(Overview overview) {
    List<Overview.Line> lines = overview.lines();
    int label = lines.stream().mapToInt(line -> line.label().length()).max().orElse(0);
    StringBuilder text = new StringBuilder();
    for (Overview.Line line : lines) {
      String padding = " ".repeat(label - line.label().length() + 2);
      String first = "  " + line.label() + padding;
      text.append(Wrapped.text(first, " ".repeat(first.length()), line.text()));
    }
    return text.toString();
  }
}
