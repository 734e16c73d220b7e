/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.print;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table for a terminal: the first column to the left, numbers to the right. */
public final class TextTable {
  private final List<List<String>> rows = new ArrayList<>();

  public TextTable(String... header) {
    rows.add(List.of(header));
  }

  public void row(String... cells) {
    if (cells.length != rows.get(0).size()) {
      throw new IllegalArgumentException(cells.length + " cells for " + rows.get(0));
    }
    rows.add(List.of(cells));
  }

  /** A line under the rows so far, for a sum that follows. */
  public void rule() {
    rows.add(List.of());
  }

  public static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  public static String bytes(long value) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    double scaled = value;
    int unit = 0;
    while (scaled >= 1024 && unit < units.length - 1) {
      scaled /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", scaled, units[unit]);
  }

  @Override
  public String toString() {
    int[] widths = widths();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      text.append(rows.get(i).isEmpty() ? ruleOf(widths) : line(rows.get(i), widths)).append('\n');
      if (i == 0) {
        text.append(ruleOf(widths)).append('\n');
      }
    }
    return text.toString();
  }

  private int[] widths() {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int column = 0; column < row.size(); column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    return widths;
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder("  ");
    for (int column = 0; column < row.size(); column++) {
      String padding = " ".repeat(widths[column] - row.get(column).length());
      line.append(column == 0 ? row.get(column) + padding : "  " + padding + row.get(column));
    }
    return line.toString().stripTrailing();
  }

  private static String ruleOf(int[] widths) {
    int total = java.util.Arrays.stream(widths).sum() + 2 * (widths.length - 1);
    return "  " + "-".repeat(total);
  }
}
