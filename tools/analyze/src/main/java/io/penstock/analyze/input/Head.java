/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The decompressed beginning of a file.
 *
 * @param name the file's name without directories and without the suffix of its compression
 * @param text the bytes as ISO 8859-1, so that any bytes can be searched as text
 */
public record Head(String name, String text) {
  public static Head of(String name, byte[] bytes) {
    return new Head(name, new String(bytes, StandardCharsets.ISO_8859_1));
  }

  /** Returns the first lines that are not blank, at most the given number. */
  public List<String> lines(int most) {
    return text.lines().filter(line -> !line.isBlank()).limit(most).toList();
  }
}
