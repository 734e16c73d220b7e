/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.accesslog;

/** Reads the time of an access log, such as [06/Feb/2019:00:00:38 +0000]. */
final class LogTime {
  static final long UNREADABLE = Long.MIN_VALUE;

  /** The length of the time's text in bytes, brackets included. */
  static final int LENGTH = 28;

  /** No zone is further from UTC; Java's own limit. */
  private static final int MAX_ZONE_HOURS = 18;

  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
  private static final int[] DAYS = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  private static final int[] DAYS_BEFORE = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
  private static final long MICROS = 1_000_000;

  private LogTime() {}

  /** Returns the time in microseconds since 1970, or {@link #UNREADABLE}. */
  static long micros(byte[] text, int at, int limit) {
    if (limit - at < LENGTH
        || text[at] != '['
        || text[at + 3] != '/'
        || text[at + 7] != '/'
        || text[at + 12] != ':'
        || text[at + 15] != ':'
        || text[at + 18] != ':'
        || text[at + 21] != ' '
        || text[at + 27] != ']') {
      return UNREADABLE;
    }
    int month = month(text, at + 4);
    int day = two(text, at + 1);
    int century = two(text, at + 8);
    int year = two(text, at + 10);
    int hour = two(text, at + 13);
    int minute = two(text, at + 16);
    int second = two(text, at + 19);
    int zoneHours = two(text, at + 23);
    int zoneMinutes = two(text, at + 25);
    boolean isWrong =
        month < 0
            || (day | century | year | hour | minute | second | zoneHours | zoneMinutes) < 0
            || day < 1
            || day > DAYS[month]
            || hour > 23
            || minute > 59
            || second > 60
            || zoneHours > MAX_ZONE_HOURS
            || zoneMinutes > 59
            || (text[at + 22] != '+' && text[at + 22] != '-');
    if (isWrong) {
      return UNREADABLE;
    }
    long zone = (zoneHours * 60L + zoneMinutes) * 60;
    long days = days(century * 100 + year, month, day);
    long seconds = days * 86_400 + hour * 3_600L + minute * 60L + second;
    return (text[at + 22] == '+' ? seconds - zone : seconds + zone) * MICROS;
  }

  /** Returns the days since 1970-01-01 in the Gregorian calendar. */
  private static long days(int year, int month, int day) {
    boolean isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    long before = year - 1L;
    long leaps = before / 4 - before / 100 + before / 400 - (1969 / 4 - 1969 / 100 + 1969 / 400);
    return (year - 1970) * 365L
        + leaps
        + DAYS_BEFORE[month]
        + (isLeap && month > 1 ? 1 : 0)
        + day
        - 1;
  }

  private static int month(byte[] text, int at) {
    for (int month = 0; month < 12; month++) {
      if (text[at] == MONTHS.charAt(month * 3)
          && text[at + 1] == MONTHS.charAt(month * 3 + 1)
          && text[at + 2] == MONTHS.charAt(month * 3 + 2)) {
        return month;
      }
    }
    return -1;
  }

  private static int two(byte[] text, int at) {
    int tens = text[at] - '0';
    int ones = text[at + 1] - '0';
    return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : tens * 10 + ones;
  }
}
