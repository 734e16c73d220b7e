/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

import java.util.Arrays;

/** The codes by which a program colours its log on a terminal, such as {@code ESC[31m}. */
final class Colours {
  static final char ESCAPE = '\u001b';

  private Colours() {}

  /** Returns a line without such codes. */
  static byte[] without(byte[] line, int length) {
    byte[] plain = new byte[length];
    int kept = 0;
    for (int i = 0; i < length; i++) {
      int end = line[i] == ESCAPE ? end(line, i + 1, length) : -1;
      if (end < 0) {
        plain[kept++] = line[i];
      } else {
        i = end;
      }
    }
    return Arrays.copyOf(plain, kept);
  }

  /** Returns where the code ends that begins with a bracket here; -1 if there is none. */
  private static int end(byte[] line, int start, int length) {
    if (start >= length || line[start] != '[') {
      return -1;
    }
    int at = start + 1;
    while (at < length && (line[at] == ';' || (line[at] >= '0' && line[at] <= '9'))) {
      at++;
    }
    return at < length && line[at] == 'm' ? at : -1;
  }
}
