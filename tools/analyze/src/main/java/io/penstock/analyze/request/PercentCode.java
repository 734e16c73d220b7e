/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.request;

import io.penstock.tables.bytes.Scan;
import java.util.Arrays;

/** Decodes keys as logs write them, with %20 for a space. */
public final class PercentCode {
  private PercentCode() {}

  /** Sets a column to a decoded text, which is a part of the same array if nothing is encoded. */
  public static void decode(byte[] text, int start, int end, RequestColumn column, RequestRow row) {
    if (Scan.find(text, start, end, '%') == end) {
      row.text(column, text, start, end);
    } else {
      row.text(column, decode(text, start, end));
    }
  }

  /** Decodes once. A percent sign that does not begin a valid code is kept. */
  public static byte[] decode(byte[] text, int start, int end) {
    int at = Scan.find(text, start, end, '%');
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
