/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.format;

import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Formats values and headings for people: with units, and safe on any terminal. */
public final class Values {
  /** The text for unknown values. */
  public static final String NONE = "-";

  private static final double LARGE = 1_000;

  private static final DateTimeFormatter SECOND = time("uuuu-MM-dd HH:mm:ss");
  private static final DateTimeFormatter MILLI = time("uuuu-MM-dd HH:mm:ss.SSS");
  private static final String[] BYTE_UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private Values() {}

  private static DateTimeFormatter time(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneOffset.UTC);
  }

  /**
   * Formats a value of a {@link io.penstock.tables.Table}; null becomes {@link #NONE}.
   *
   * @throws ClassCastException when the value does not fit its kind, see {@link
   *     io.penstock.tables.Table}
   */
  public static String of(Kind kind, Object value) {
    if (isUnknown(value)) {
      return NONE;
    }
    return switch (kind) {
      case TEXT -> visible(value.toString());
      case COUNT -> count(((Number) value).longValue());
      case BYTES -> bytes(((Number) value).doubleValue());
      case RATE -> rate(((Number) value).doubleValue()) + "/s";
      case MILLIS -> duration(((Number) value).doubleValue());
      case SECONDS -> duration(((Number) value).doubleValue() * 1_000);
      case PERCENT -> format("%,.2f %%", ((Number) value).doubleValue());
      case NUMBER -> number(((Number) value).doubleValue());
      case DOLLARS -> dollars(((Number) value).doubleValue());
      case TIME -> time((Instant) value);
      case FLAG -> (Boolean) value ? "yes" : "no";
    };
  }

  /**
   * Formats a number. Whole and large numbers have no digits after the decimal point, because the
   * digits would mean nothing.
   */
  private static String number(double value) {
    boolean isWhole = Math.abs(value) >= LARGE || value == Math.rint(value);
    return format(isWhole ? "%,.0f" : "%,.2f", value);
  }

  /** Returns true for null and for a measure that is NaN or infinite. */
  static boolean isUnknown(Object value) {
    return value == null || (value instanceof Double number && !Double.isFinite(number));
  }

  /** Returns true if values of this kind are right-aligned. */
  public static boolean isNumber(Kind kind) {
    return switch (kind) {
      case COUNT, BYTES, RATE, MILLIS, SECONDS, PERCENT, NUMBER, DOLLARS -> true;
      case TEXT, TIME, FLAG -> false;
    };
  }

  /**
   * Returns a column's name in words, without the unit, which the values show: {@code p95_ms}
   * becomes p95.
   */
  public static String heading(Column column) {
    String name = column.name();
    String unit =
        switch (column.kind()) {
          case MILLIS -> "_ms";
          case SECONDS -> "_s";
          case RATE -> name.endsWith("_rps") ? "_rps" : "_per_s";
          case PERCENT -> "_pct";
          default -> "";
        };
    if (!unit.isEmpty() && name.length() > unit.length() && name.endsWith(unit)) {
      String rest = name.substring(0, name.length() - unit.length());
      name = column.kind() == Kind.PERCENT ? rest + " %" : rest;
    }
    return visible(name.replace('_', ' '));
  }

  /**
   * Returns the text with all invisible characters escaped: control characters, which could control
   * a terminal, and marks that change the text direction.
   */
  public static String visible(String text) {
    if (text.chars().allMatch(c -> c >= ' ' && c < 0x7f)) {
      return text;
    }
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              if (hasShape(c)) {
                shown.appendCodePoint(c);
              } else {
                shown.append("\\u").append(format("%04x", c));
              }
            });
    return shown.toString();
  }

  /** Shortens a text in the middle to at most the given number of terminal columns. */
  public static String cut(String text, int columns) {
    return Width.cut(text, columns);
  }

  static boolean hasShape(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }

  private static String time(Instant time) {
    return (Math.floorMod(time.toEpochMilli(), 1_000) == 0 ? SECOND : MILLI).format(time);
  }

  /** Formats a whole number with thousands separators. */
  public static String count(long count) {
    return format("%,d", count);
  }

  /** Formats a number of bytes in a suitable unit, such as 5.2 MiB. */
  public static String bytes(long bytes) {
    return bytes((double) bytes);
  }

  private static String bytes(double bytes) {
    double size = Math.abs(bytes);
    int unit = 0;
    // From 1023.95 KiB on, the number would be printed as 1,024.0 KiB.
    while (size >= 1023.95 && unit < BYTE_UNITS.length - 1) {
      size /= 1024;
      unit++;
    }
    String sign = bytes < 0 ? "-" : "";
    return sign + format(unit == 0 ? "%.0f %s" : "%,.1f %s", size, BYTE_UNITS[unit]);
  }

  private static String rate(double rate) {
    return format(Math.abs(rate) >= 99.95 ? "%,.0f" : "%.1f", rate);
  }

  private static String dollars(double dollars) {
    double amount = Math.abs(dollars);
    String sign = dollars < 0 ? "-" : "";
    return sign + format(amount > 0 && amount < 0.1 ? "$%.4f" : "$%,.2f", amount);
  }

  private static String duration(double millis) {
    double size = Math.abs(millis);
    String sign = millis < 0 ? "-" : "";
    if (size == 0) {
      return "0 ms";
    } else if (size < 9.95) {
      return sign + format("%.1f ms", size);
    } else if (size < 999.5) {
      return sign + format("%.0f ms", size);
    } else if (size < 59_950) {
      return sign + format("%.1f s", size / 1_000);
    }
    long seconds = Math.round(size / 1_000);
    if (seconds < 3_600) {
      return sign + format("%d min %02d s", seconds / 60, seconds % 60);
    }
    long minutes = Math.round(seconds / 60.0);
    return sign + format("%,d h %02d min", minutes / 60, minutes % 60);
  }

  /** Formats in the same way on every machine, whatever its language is. */
  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
