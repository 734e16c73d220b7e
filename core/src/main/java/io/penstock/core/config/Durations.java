/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.config;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as people write them; a plain number is milliseconds, as in Hadoop's {@code fs.s3a.*}.
 */
public final class Durations {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,12})\\s*(ms|s|m|h|d|)");

  private Durations() {}

  /**
   * Parses a duration.
   *
   * @throws IllegalArgumentException if the text is not a duration
   */
  public static Duration parse(String text) {
    Matcher matcher = DURATION.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException("must be a duration such as 200ms, 15s or 5m");
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      case "d" -> Duration.ofDays(number);
      default -> Duration.ofMillis(number);
    };
  }
}
