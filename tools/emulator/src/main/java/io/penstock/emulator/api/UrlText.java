/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.api;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Percent-encoding as AWS does it: unreserved characters stay, all others become {@code %XX}. */
public final class UrlText {
  private static final String HEX = "0123456789ABCDEF";

  private UrlText() {}

  /**
   * Escapes all characters except letters, digits, {@code -._~} and, if {@code keepSlash}, the
   * slash.
   */
  public static String encode(String text, boolean keepSlash) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      boolean stays =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || "-._~".indexOf(c) >= 0
              || (keepSlash && c == '/');
      if (stays) {
        out.append(c);
      } else {
        out.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
      }
    }
    return out.toString();
  }

  /**
   * Returns the decoded text.
   *
   * @param raw one char per byte, as received
   * @throws IllegalArgumentException when an escape is malformed or the bytes are not valid UTF-8
   */
  public static String decode(String raw, boolean plusIsSpace) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%') {
        if (i + 2 >= raw.length()) {
          throw new IllegalArgumentException("escape cut short in " + raw);
        }
        int high = Character.digit(raw.charAt(i + 1), 16);
        int low = Character.digit(raw.charAt(i + 2), 16);
        if (high < 0 || low < 0) {
          throw new IllegalArgumentException("malformed escape in " + raw);
        }
        bytes.write(high << 4 | low);
        i += 2;
      } else {
        bytes.write(plusIsSpace && c == '+' ? ' ' : c);
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("not UTF-8: " + raw, e);
    }
  }
}
