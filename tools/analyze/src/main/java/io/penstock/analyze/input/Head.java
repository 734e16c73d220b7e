/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** The decompressed beginning of a file. Used by a single thread. */
public final class Head {
  private final String text;
  private List<String> lines;

  private Head(String text) {
    this.text = text;
  }

  public static Head of(byte[] bytes) {
    return new Head(new String(bytes, StandardCharsets.ISO_8859_1));
  }

  /** Returns the bytes as ISO 8859-1, so that any bytes can be searched as text. */
  public String text() {
    return text;
  }

  /** Returns the first lines that are not blank, at most the given number. */
  public List<String> lines(int most) {
    if (lines == null) {
      lines = text.lines().filter(line -> !line.isBlank()).toList();
    }
    return lines.subList(0, Math.min(most, lines.size()));
  }
}
