/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.text;

/** Writes texts into JSON that is put together by hand. */
public final class JsonStrings {
  private JsonStrings() {}

  /** Appends a text in quotes. Half of a pair of surrogates stays what it is. */
  public static void append(StringBuilder line, String text) {
    line.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        line.append('\\').append(c);
      } else if (c < 0x20 || c == 0x7f || Character.isSurrogate(c)) {
        line.append("\\u%04x".formatted((int) c));
      } else {
        line.append(c);
      }
    }
    line.append('"');
  }
}
