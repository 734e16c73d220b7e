/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses sizes and durations in the notation of Hadoop and Spark. Returns empty for any other text.
 */
final class Quantity {
  private static final Pattern FORM = Pattern.compile("(\\d{1,15})\\s*([a-z]*)");
  private static final Map<String, Long> BYTES =
      Map.of("", 1L, "b", 1L, "k", 1L << 10, "m", 1L << 20, "g", 1L << 30, "t", 1L << 40);
  private static final Map<String, Long> MILLIS =
      Map.of("", 1L, "ms", 1L, "s", 1_000L, "m", 60_000L, "min", 60_000L, "h", 3_600_000L);

  private Quantity() {}

  static OptionalLong bytes(String text) {
    Matcher form = form(text);
    return form.matches()
        ? scaled(form.group(1), BYTES.get(form.group(2).replaceFirst("(?<=[kmgt])i?b$", "")))
        : OptionalLong.empty();
  }

  /**
   * Returns a duration in milliseconds. A plain number is in milliseconds, as in S3A's timeouts.
   */
  static OptionalLong millis(String text) {
    Matcher form = form(text);
    return form.matches() ? scaled(form.group(1), MILLIS.get(form.group(2))) : OptionalLong.empty();
  }

  static long count(String text, long otherwise) {
    return text.strip().matches("\\d{1,9}") ? Long.parseLong(text.strip()) : otherwise;
  }

  private static Matcher form(String text) {
    return FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
  }

  private static OptionalLong scaled(String number, Long unit) {
    return unit == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(number) * unit);
  }
}
