/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

import io.penstock.tables.bytes.Scan;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Reads the time at the beginning of a line, in the formats of Spark's, Hadoop's and Kubernetes'
 * logs. One object is reused for all lines.
 */
final class TimeText {
  private static final int MICRO_DIGITS = 6;

  private final ZoneId zone;
  private long minuteKey = -1;
  private long minuteSeconds;
  private long micros;
  private boolean hasMillis;
  private int end;

  /**
   * @param zone the zone of times that do not name one; most logs do not name it
   */
  TimeText(ZoneId zone) {
    this.zone = zone;
  }

  /**
   * Reads {@code 24/06/04 14:40:12.345} or {@code 2024-06-04T14:40:12,345Z}. Returns false if the
   * text has neither form.
   */
  boolean read(byte[] text, int start, int textEnd) {
    int year = digits(text, start, textEnd, 2);
    boolean isShort = at(text, start + 2, textEnd) == '/';
    int date = isShort ? start : start + 2;
    if (!isShort) {
      year = digits(text, start, textEnd, 4);
    } else if (year >= 0) {
      year += 2000;
    }
    int month = digits(text, date + 3, textEnd, 2);
    int day = digits(text, date + 6, textEnd, 2);
    int clock = date + 9;
    int hour = digits(text, clock, textEnd, 2);
    int minute = digits(text, clock + 3, textEnd, 2);
    int second = digits(text, clock + 6, textEnd, 2);
    boolean isTime =
        (year | month | day | hour | minute | second) >= 0
            && at(text, date + 2, textEnd) == at(text, date + 5, textEnd)
            && at(text, clock + 2, textEnd) == ':'
            && at(text, clock + 5, textEnd) == ':';
    if (!isTime) {
      return false;
    }
    try {
      micros = fraction(text, clock + 8, textEnd);
      ZoneId here = zone(text, textEnd);
      micros += (seconds(year, month, day, hour, minute, here) + second) * 1_000_000;
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }

  /** Returns the fraction of the second in microseconds, and moves the end past its digits. */
  private long fraction(byte[] text, int start, int textEnd) {
    end = start;
    byte sign = at(text, start, textEnd);
    hasMillis = (sign == '.' || sign == ',') && digits(text, start + 1, textEnd, 3) >= 0;
    if (!hasMillis) {
      return 0;
    }
    long value = 0;
    int count = 0;
    for (end = start + 1; digits(text, end, textEnd, 1) >= 0; end++) {
      if (count < MICRO_DIGITS) {
        value = value * 10 + text[end] - '0';
        count++;
      }
    }
    for (; count < MICRO_DIGITS; count++) {
      value *= 10;
    }
    return value;
  }

  /** Returns the zone that the text names, or the zone of the log. */
  private ZoneId zone(byte[] text, int textEnd) {
    byte sign = at(text, end, textEnd);
    if (sign == 'Z') {
      end++;
      return ZoneOffset.UTC;
    }
    int hours = digits(text, end + 1, textEnd, 2);
    if ((sign != '+' && sign != '-') || hours < 0) {
      return zone;
    }
    int minutes = end + (at(text, end + 3, textEnd) == ':' ? 4 : 3);
    int more = Math.max(0, digits(text, minutes, textEnd, 2));
    end = Math.min(textEnd, minutes + 2);
    return ZoneOffset.ofTotalSeconds((sign == '-' ? -60 : 60) * (hours * 60 + more));
  }

  // Converting with a time zone is slow, and most consecutive lines are of the same minute.
  private long seconds(int year, int month, int day, int hour, int minute, ZoneId here) {
    long key = ((((long) year * 13 + month) * 32 + day) * 24 + hour) * 60 + minute;
    if (key != minuteKey || !here.equals(zone)) {
      minuteSeconds = LocalDateTime.of(year, month, day, hour, minute).atZone(here).toEpochSecond();
      minuteKey = here.equals(zone) ? key : -1;
    }
    return minuteSeconds;
  }

  private static int digits(byte[] text, int start, int end, int count) {
    return start + count > end ? -1 : (int) Scan.number(text, start, start + count);
  }

  private static byte at(byte[] text, int index, int end) {
    return index < end ? text[index] : 0;
  }

  /** Returns the time in microseconds since 1970 UTC. */
  long micros() {
    return micros;
  }

  /** Returns true if the text has a fraction of the second. */
  boolean hasMillis() {
    return hasMillis;
  }

  /** Returns the position after the time. */
  int end() {
    return end;
  }
}
