/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** The decompressed beginning of a file. Used by a single thread. */
public final class Head {
  private final byte[] bytes;
  private String text;
  private List<String> lines;

  private Head(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns the beginning that consists of these bytes, which nobody changes any more. */
  public static Head of(byte[] bytes) {
    return new Head(bytes);
  }

  /** Returns the bytes themselves, for a look that must be quick. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns the bytes as ISO 8859-1, so that any bytes can be searched as text. */
  public String text() {
    if (text == null) {
      text = new String(bytes, StandardCharsets.ISO_8859_1);
    }
    return text;
  }

  /** Returns the first lines that are not blank, at most the given number. */
  public List<String> lines(int most) {
    if (lines == null) {
      lines = text().lines().filter(line -> !line.isBlank()).toList();
    }
    return lines.subList(0, Math.min(most, lines.size()));
  }
}
