/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Decodes the escapes of a JSON string. Invalid escapes are kept unchanged. */
final class Escapes {
  private static final byte[] LETTERS = {'"', '\\', '/', 'b', 'f', 'n', 'r', 't'};
  private static final byte[] MEANINGS = {'"', '\\', '/', '\b', '\f', '\n', '\r', '\t'};

  private Escapes() {}

  static byte[] undo(byte[] text, int start, int end) {
    byte[] out = new byte[end - start];
    int size = 0;
    int i = start;
    while (i < end) {
      if (text[i] != '\\' || i + 1 == end) {
        out[size++] = text[i++];
      } else if (text[i + 1] == 'u' && unit(text, i, end) >= 0) {
        int first = unit(text, i, end);
        int second = Character.isHighSurrogate((char) first) ? unit(text, i + 6, end) : -1;
        boolean isPair = second >= 0 && Character.isLowSurrogate((char) second);
        String letter = isPair ? "" + (char) first + (char) second : String.valueOf((char) first);
        // The character has at most as many bytes as its escape. Half of a surrogate pair becomes a
        // question mark.
        byte[] utf8 = letter.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(utf8, 0, out, size, utf8.length);
        size += utf8.length;
        i += isPair ? 12 : 6;
      } else {
        size = plain(text, i, out, size);
        i += 2;
      }
    }
    return Arrays.copyOf(out, size);
  }

  private static int plain(byte[] text, int at, byte[] out, int size) {
    for (int k = 0; k < LETTERS.length; k++) {
      if (text[at + 1] == LETTERS[k]) {
        out[size] = MEANINGS[k];
        return size + 1;
      }
    }
    out[size] = text[at];
    out[size + 1] = text[at + 1];
    return size + 2;
  }

  /** Returns the UTF-16 unit of {@code \\uXXXX}; negative when there is no such escape. */
  private static int unit(byte[] text, int at, int end) {
    if (at + 6 > end || text[at] != '\\' || text[at + 1] != 'u') {
      return -1;
    }
    int value = 0;
    for (int i = at + 2; i < at + 6; i++) {
      int digit = Character.digit(text[i], 16);
      if (digit < 0) {
        return -1;
      }
      value = value << 4 | digit;
    }
    return value;
  }
}
