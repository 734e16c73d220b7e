/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.accesslog;

import java.util.Arrays;

/** Decodes keys as access logs write them, with %20 for a space. */
final class PercentCode {
  private PercentCode() {}

  /** Decodes once. A percent sign that does not begin a valid code is kept. */
  static byte[] decode(byte[] text, int start, int end) {
    int at = start;
    while (at < end && text[at] != '%') {
      at++;
    }
    byte[] decoded = Arrays.copyOfRange(text, start, end);
    if (at == end) {
      return decoded;
    }
    int length = at - start;
    for (; at < end; at++) {
      int code = text[at] == '%' && at + 2 < end ? code(text, at + 1) : -1;
      if (code >= 0) {
        decoded[length++] = (byte) code;
        at += 2;
      } else {
        decoded[length++] = text[at];
      }
    }
    return Arrays.copyOf(decoded, length);
  }

  private static int code(byte[] text, int at) {
    int high = Character.digit(text[at], 16);
    int low = Character.digit(text[at + 1], 16);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
  }
}
