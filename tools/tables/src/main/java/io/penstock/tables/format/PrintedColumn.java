/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.format;

import io.penstock.tables.Column;
import java.util.ArrayList;
import java.util.List;

/** A column of a {@link TableText}, with its cells before any shortening. */
record PrintedColumn(
    Column column, List<String> cells, String heading, List<String> headingLines, int natural) {

  PrintedColumn(Column column, List<String> cells) {
    this(column, cells, Values.heading(column), widest(cells));
  }

  private PrintedColumn(Column column, List<String> cells, String heading, int cellWidth) {
    this(column, cells, heading, wrapped(heading, cellWidth));
  }

  private PrintedColumn(Column column, List<String> cells, String heading, List<String> lines) {
    this(column, cells, heading, lines, Math.max(widest(lines), widest(cells)));
  }

  private static int widest(List<String> texts) {
    return texts.stream().mapToInt(Width::of).max().orElse(0);
  }

  /**
   * Returns the lines of a heading. A heading wider than its cells is split into one line for each
   * word.
   */
  private static List<String> wrapped(String heading, int width) {
    List<String> lines = new ArrayList<>();
    for (String word : heading.split(" ", -1)) {
      int last = lines.size() - 1;
      if (last >= 0 && Width.of(lines.get(last) + " " + word) <= width) {
        lines.set(last, lines.get(last) + " " + word);
      } else {
        lines.add(word);
      }
    }
    return lines;
  }
}
