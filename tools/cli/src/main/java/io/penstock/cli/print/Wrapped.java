/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.print;

/** Wraps text into lines that fit a terminal. */
public final class Wrapped {
  private static final int WIDTH = 80;

  private Wrapped() {}

  /**
   * Returns the text in lines of at most 80 characters. A longer word, such as a path, is not
   * broken.
   */
  public static String text(String first, String rest, String text) {
    StringBuilder lines = new StringBuilder();
    StringBuilder line = new StringBuilder(first);
    boolean isEmpty = true;
    for (String word : text.split(" ", -1)) {
      if (!isEmpty && line.length() + 1 + word.length() > WIDTH) {
        lines.append(line).append('\n');
        line = new StringBuilder(rest);
        isEmpty = true;
      }
      line.append(isEmpty ? "" : " ").append(word);
      isEmpty = false;
    }
    return lines.append(line).append('\n').toString();
  }
}
