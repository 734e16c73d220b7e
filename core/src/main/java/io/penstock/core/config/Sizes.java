/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses sizes in bytes as people write them. Units are powers of 1,024, as in Hadoop and Spark.
 */
public final class Sizes {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,15})\\s*([kmgtp]?)(i?b)?");
  private static final String UNITS = "kmgtp";

  private Sizes() {}

  /**
   * Returns the bytes of a size such as {@code 8M}, {@code 64 KiB} or {@code 1024}, in any case.
   *
   * @throws IllegalArgumentException when the text is not a size, or is 2^63 bytes or more
   */
  public static long parse(String text) {
    Matcher matcher = SIZE.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException("must be a size such as 8M or 64K");
    }
    long number = Long.parseLong(matcher.group(1));
    int power = matcher.group(2).isEmpty() ? 0 : UNITS.indexOf(matcher.group(2)) + 1;
    try {
      return Math.multiplyExact(number, 1L << (10 * power));
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("is too large", e);
    }
  }
}
