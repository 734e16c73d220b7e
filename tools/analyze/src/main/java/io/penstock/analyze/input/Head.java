/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The beginning of a file, unpacked.
 *
 * @param name of the file, without directories, and without the ending of its packing
 * @param text bytes as ISO 8859-1, so that any can be looked at
 */
public record Head(String name, String text) {
  public static Head of(String name, byte[] bytes) {
    return new Head(name, new String(bytes, StandardCharsets.ISO_8859_1));
  }

  /** The first whole lines that are not blank. */
  public List<String> lines(int most) {
    return text.lines().filter(line -> !line.isBlank()).limit(most).toList();
  }
}
