/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

import io.penstock.tables.format.Values;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats sizes and durations as Spark and Hadoop write them. */
public final class Amounts {
  public static final long KIB = 1L << 10;
  public static final long MIB = 1L << 20;
  public static final long GIB = 1L << 30;

  private static final Pattern SIZE =
      Pattern.compile("(\\d{1,15})\\s*(?:([kmgtKMGT])(?:i?[bB])?|[bB])?");
  private static final Pattern DURATION =
      Pattern.compile("(\\d{1,12})\\s*(ms|s|min|m|h|d)?", Pattern.CASE_INSENSITIVE);

  private Amounts() {}

  /**
   * Parses a size and returns it in bytes; empty if it is none, or more than a long holds.
   *
   * @param bare the size in bytes of one unit, for a number without a unit
   */
  public static Optional<Long> size(String text, long bare) {
    Matcher matcher = SIZE.matcher(text.strip());
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long number = Long.parseLong(matcher.group(1));
    if (matcher.group(2) == null) {
      boolean isBytes = text.toLowerCase(Locale.ROOT).strip().endsWith("b");
      long unit = isBytes ? 1 : bare;
      return number <= Long.MAX_VALUE / unit ? Optional.of(number * unit) : Optional.empty();
    }
    int power = "kmgt".indexOf(matcher.group(2).toLowerCase(Locale.ROOT)) + 1;
    boolean fits = number <= Long.MAX_VALUE >> (10 * power);
    return fits ? Optional.of(number << (10 * power)) : Optional.empty();
  }

  /**
   * Parses a duration and returns it in milliseconds. A number without a unit is milliseconds, as
   * in S3A.
   */
  public static Optional<Long> millis(String text) {
    Matcher matcher = DURATION.matcher(text.strip());
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long number = Long.parseLong(matcher.group(1));
    String unit = matcher.group(2) == null ? "ms" : matcher.group(2).toLowerCase(Locale.ROOT);
    return Optional.of(
        switch (unit) {
          case "s" -> number * 1_000;
          case "m", "min" -> number * 60_000;
          case "h" -> number * 3_600_000;
          case "d" -> number * 86_400_000;
          default -> number;
        });
  }

  /**
   * Returns a size for use in a sentence, such as 5.2 MiB. It is 256 MiB where a table has 256.0
   * MiB.
   */
  public static String bytes(long bytes) {
    return Values.bytes(bytes).replace(".0 ", " ");
  }

  /**
   * Returns a size for use in a setting, such as 30g or 256m. A size that is not a whole number of
   * MiB is in bytes.
   */
  public static String setting(long bytes) {
    if (bytes > 0 && bytes % (1024 * MIB) == 0) {
      return bytes / (1024 * MIB) + "g";
    }
    return bytes % MIB == 0 ? bytes / MIB + "m" : Long.toString(bytes);
  }

  /** Returns a duration for readers, such as 230 ms, 5 s or 21.4 min. */
  public static String duration(double millis) {
    if (millis < 1_000) {
      return String.format(Locale.ROOT, "%.0f ms", millis);
    }
    double seconds = millis / 1_000;
    if (seconds < 600) {
      boolean isWhole = seconds == Math.rint(seconds);
      return String.format(Locale.ROOT, isWhole ? "%.0f s" : "%.1f s", seconds);
    }
    return String.format(
        Locale.ROOT,
        seconds < 36_000 ? "%.1f min" : "%.1f h",
        seconds < 36_000 ? seconds / 60 : seconds / 3_600);
  }
}
