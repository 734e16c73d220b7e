/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.json;

import io.penstock.tables.bytes.Scan;

/** Finds the ends of values in the bytes of JSON, which it does not validate. */
final class JsonBytes {
  private JsonBytes() {}

  /**
   * Skips a pair of braces or brackets with all their content. Returns the end, exclusive, or
   * {@link FieldScanner#SHORT} if the pair is not closed.
   */
  static int pair(byte[] source, int start, int end) {
    int depth = 0;
    for (int i = start; i < end; i++) {
      byte one = source[i];
      if (one == '"') {
        i = quote(source, i + 1, end);
        if (i < 0) {
          return FieldScanner.SHORT;
        }
      } else if (one == '{' || one == '[') {
        depth++;
      } else if ((one == '}' || one == ']') && --depth <= 0) {
        return i + 1;
      }
    }
    return FieldScanner.SHORT;
  }

  /**
   * Returns the position of the quote that closes a string: the first one with an even number of
   * backslashes before it.
   */
  static int quote(byte[] source, int start, int end) {
    int at = Scan.find(source, start, end, '"');
    while (at < end) {
      int slash = at;
      while (slash > start && source[slash - 1] == '\\') {
        slash--;
      }
      if (((at - slash) & 1) == 0) {
        return at;
      }
      at = Scan.find(source, at + 1, end, '"');
    }
    return FieldScanner.SHORT;
  }
}
