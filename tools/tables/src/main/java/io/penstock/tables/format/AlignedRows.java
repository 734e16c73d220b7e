/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Formats rows for a terminal in aligned columns: the first column is left-aligned, the others are
 * right-aligned. The cells must fit the terminal; {@link TableText} handles values of any width.
 */
public final class AlignedRows {
  static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  public AlignedRows(String... header) {
    rows.add(List.of(header));
  }

  public void row(String... cells) {
    if (cells.length != rows.get(0).size()) {
      throw new IllegalArgumentException(cells.length + " cells for " + rows.get(0));
    }
    rows.add(List.of(cells));
  }

  /** Adds a line below the rows so far, for example above a sum. */
  public void rule() {
    rows.add(List.of());
  }

  @Override
  public String toString() {
    int[] widths = widths();
    String rule =
        GAP + "-".repeat(Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1));
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      List<String> row = rows.get(i);
      text.append(row.isEmpty() ? rule : GAP + line(row, widths, column -> column > 0));
      text.append('\n');
      if (i == 0) {
        text.append(rule).append('\n');
      }
    }
    return text.toString();
  }

  private int[] widths() {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int column = 0; column < row.size(); column++) {
        widths[column] = Math.max(widths[column], Width.of(row.get(column)));
      }
    }
    return widths;
  }

  /** Returns the cells side by side, without trailing spaces. */
  static String line(List<String> cells, int[] widths, IntPredicate isRight) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      line.append(i == 0 ? "" : GAP).append(Width.pad(cells.get(i), widths[i], isRight.test(i)));
    }
    return line.toString().stripTrailing();
  }
}
