/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.format;

/** Calculates how many columns of a terminal a text occupies. */
final class Width {
  private static final String CUT = "…";

  /** The blocks of characters that are wide in Unicode's EastAsianWidth, and pictographs. */
  private static final int[][] WIDE = {
    {0x1100, 0x115f},
    {0x2e80, 0x303e},
    {0x3040, 0xa4cf},
    {0xac00, 0xd7a3},
    {0xf900, 0xfaff},
    {0xfe30, 0xfe6f},
    {0xff00, 0xff60},
    {0xffe0, 0xffe6},
    {0x1f300, 0x1faff},
    {0x20000, 0x3fffd},
  };

  private Width() {}

  static int of(String text) {
    return text.codePoints().map(Width::of).sum();
  }

  /**
   * Shortens a text in the middle to at most the given number of columns, because the beginning and
   * the end of a key are most useful.
   */
  static String cut(String text, int width) {
    if (of(text) <= width) {
      return text;
    }
    int[] points = text.codePoints().toArray();
    int from = 0;
    int to = points.length;
    int left = Math.max(width - 1, 0);
    StringBuilder start = new StringBuilder();
    StringBuilder end = new StringBuilder();
    for (boolean atStart = true; from < to; atStart = !atStart) {
      int next = atStart ? points[from] : points[to - 1];
      left -= of(next);
      if (left < 0) {
        break;
      }
      if (atStart) {
        start.appendCodePoint(next);
        from++;
      } else {
        end.insert(0, Character.toString(next));
        to--;
      }
    }
    return start + CUT + end;
  }

  static String pad(String text, int width, boolean isRight) {
    String space = " ".repeat(Math.max(width - of(text), 0));
    return isRight ? space + text : text + space;
  }

  private static int of(int c) {
    int type = Character.getType(c);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
      return 0;
    }
    return isWide(c) ? 2 : 1;
  }

  private static boolean isWide(int c) {
    for (int[] block : WIDE) {
      if (c >= block[0] && c <= block[1]) {
        return true;
      }
    }
    return false;
  }
}
