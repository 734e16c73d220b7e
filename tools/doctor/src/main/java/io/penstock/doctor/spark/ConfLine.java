/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A logical line of a properties file: the lines of text that a backslash at their ends joins.
 *
 * @param lines the lines of text as they are
 */
record ConfLine(List<String> lines) {
  ConfLine {
    lines = List.copyOf(lines);
  }

  /** Splits the text of a file; {@code String.join("\n", …)} of all lines is the text again. */
  static List<ConfLine> split(String text) {
    List<ConfLine> found = new ArrayList<>();
    List<String> open = new ArrayList<>();
    for (String line : text.split("\n", -1)) {
      boolean isComment = open.isEmpty() && isComment(line);
      open.add(line);
      if (isComment || !continues(line)) {
        found.add(new ConfLine(open));
        open = new ArrayList<>();
      }
    }
    if (!open.isEmpty()) {
      found.add(new ConfLine(open));
    }
    return found;
  }

  /** Returns true if a line that is added to the text would belong to its last line. */
  static boolean isOpen(String text) {
    List<ConfLine> all = split(text.endsWith("\n") ? text.substring(0, text.length() - 1) : text);
    return all.get(all.size() - 1).isOpen();
  }

  private boolean isOpen() {
    return continues(lines.get(lines.size() - 1))
        && !(lines.size() == 1 && isComment(lines.get(0)));
  }

  private static boolean isComment(String line) {
    return line.stripLeading().matches("(?s)[#!].*");
  }

  /** Returns true if a backslash at the end joins the next line of text to this one. */
  private static boolean continues(String line) {
    String text = line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
    int backslashes = 0;
    while (backslashes < text.length() && text.charAt(text.length() - 1 - backslashes) == '\\') {
      backslashes++;
    }
    return backslashes % 2 == 1;
  }

  /** Returns the name of the setting; empty for a comment or a line without text. */
  String name() throws IOException {
    return ConfText.properties(String.join("\n", lines)).keySet().stream().findFirst().orElse("");
  }

  /** Returns the lines with another name, which has no character that needs a backslash. */
  List<String> renamed(String name) {
    String first = lines.get(0).stripLeading();
    int end = 0;
    while (end < first.length() && ":= \t\f".indexOf(first.charAt(end)) < 0) {
      end += first.charAt(end) == '\\' ? 2 : 1;
    }
    List<String> changed = new ArrayList<>(lines);
    changed.set(0, name + first.substring(Math.min(end, first.length())));
    return changed;
  }

  /** Returns the lines as comments. */
  List<String> commentedOut() {
    return lines.stream().map(line -> "# " + line.strip()).toList();
  }
}
