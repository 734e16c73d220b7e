/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.json;

/** Reads times such as {@code 2026-11-20T21:17:40.218Z} without creating objects. */
public final class IsoTime {
  private static final int SECONDS_END = 19;
  private static final long MICROS = 1_000_000;

  private IsoTime() {}

  /**
   * Returns the time in microseconds since 1970 UTC. A time without a zone is UTC.
   *
   * @return {@link Long#MIN_VALUE} when the text is not a time
   */
  public static long micros(byte[] text, int start, int end) {
    if (end - start < SECONDS_END || !isPunctuated(text, start)) {
      return Long.MIN_VALUE;
    }
    int year = number(text, start, 4);
    int month = number(text, start + 5, 2);
    int day = number(text, start + 8, 2);
    int hour = number(text, start + 11, 2);
    int minute = number(text, start + 14, 2);
    int second = number(text, start + 17, 2);
    if (year < 1 || month < 1 || month > 12 || day < 1 || day > 31) {
      return Long.MIN_VALUE;
    }
    // Second 60 is a leap second. S3's clocks smear it, but some writers use it.
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) {
      return Long.MIN_VALUE;
    }
    long seconds = days(year, month, day) * 86_400 + hour * 3600L + minute * 60L + second;
    return tail(text, start + SECONDS_END, end, seconds);
  }

  private static boolean isPunctuated(byte[] text, int start) {
    return text[start + 4] == '-'
        && text[start + 7] == '-'
        && (text[start + 10] == 'T' || text[start + 10] == ' ')
        && text[start + 13] == ':'
        && text[start + 16] == ':';
  }

  private static long tail(byte[] text, int start, int end, long seconds) {
    int i = start;
    long fraction = 0;
    if (i < end && (text[i] == '.' || text[i] == ',')) {
      long unit = MICROS;
      for (i++; i < end && text[i] >= '0' && text[i] <= '9'; i++) {
        unit /= 10;
        fraction += (text[i] - '0') * unit;
      }
    }
    long micros = seconds * MICROS + fraction;
    if (i == end || (text[i] == 'Z' && i + 1 == end)) {
      return micros;
    }
    long offset = offset(text, i, end);
    return offset == Long.MIN_VALUE ? offset : micros - offset * 60 * MICROS;
  }

  /** Returns the offset in minutes of +01:00, +0100 or +01. */
  private static long offset(byte[] text, int start, int end) {
    int sign = text[start] == '+' ? 1 : text[start] == '-' ? -1 : 0;
    int length = end - start;
    boolean colon = length == 6 && text[start + 3] == ':';
    if (sign == 0 || !(length == 3 || length == 5 || colon)) {
      return Long.MIN_VALUE;
    }
    int hours = number(text, start + 1, 2);
    int minutes = length == 3 ? 0 : number(text, end - 2, 2);
    return hours < 0 || minutes < 0 ? Long.MIN_VALUE : sign * (hours * 60L + minutes);
  }

  private static int number(byte[] text, int start, int digits) {
    int value = 0;
    for (int i = start; i < start + digits; i++) {
      int digit = text[i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }

  /**
   * Returns the days since 1970 in the Gregorian calendar. The calculation uses years that begin in
   * March.
   */
  private static long days(int year, int month, int day) {
    long shifted = month <= 2 ? year - 1 : year;
    long era = Math.floorDiv(shifted, 400L);
    long ofEra = shifted - era * 400;
    long ofYear = (153L * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468;
  }
}
