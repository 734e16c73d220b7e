/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import io.penstock.tables.Kind;
import io.penstock.tables.format.Values;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A labelled value of an axis. */
record Tick(double at, String label) {
  private static final long[] TIME_STEPS = {
    1_000,
    2_000,
    5_000,
    10_000,
    15_000,
    30_000,
    60_000,
    120_000,
    300_000,
    600_000,
    900_000,
    1_800_000,
    3_600_000,
    7_200_000,
    14_400_000,
    21_600_000,
    43_200_000,
    86_400_000
  };
  private static final long DAY = 86_400_000;
  private static final DateTimeFormatter SECOND = time("HH:mm:ss");
  private static final DateTimeFormatter MINUTE = time("HH:mm");
  private static final DateTimeFormatter DATE = time("d MMM");

  private static DateTimeFormatter time(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).withZone(ZoneOffset.UTC);
  }

  /** Returns round values from 0 up to the maximum, about as many as the count. */
  static List<Tick> fromZero(double max, int count, Kind kind) {
    List<Tick> ticks = new ArrayList<>();
    double step = step(max / count);
    for (int i = 0; i * step <= max; i++) {
      ticks.add(new Tick(i * step, label(kind, i * step)));
    }
    return ticks;
  }

  private static double step(double least) {
    double unit = Math.pow(10, Math.floor(Math.log10(Math.max(least, 1e-9))));
    for (int factor : new int[] {1, 2, 5}) {
      if (factor * unit >= least) {
        return factor * unit;
      }
    }
    return 10 * unit;
  }

  /** Returns the powers of a base between two values. */
  static List<Tick> powers(double min, double max, double base, Kind kind) {
    List<Tick> ticks = new ArrayList<>();
    int from = (int) Math.ceil(Math.log(min) / Math.log(base) - 1e-9);
    int to = (int) Math.floor(Math.log(max) / Math.log(base) + 1e-9);
    for (int power = from; power <= to; power++) {
      double value = Math.pow(base, power);
      ticks.add(new Tick(value, label(kind, value)));
    }
    return ticks;
  }

  /**
   * Returns round times, about as many as the count. If the axis begins at 0, they are the time
   * since a start.
   */
  static List<Tick> times(double min, double max, int count) {
    double least = (max - min) / count;
    long step =
        TIME_STEPS[TIME_STEPS.length - 1] * Math.max(1, (long) Math.ceil(least / (double) DAY));
    for (int i = TIME_STEPS.length - 1; i >= 0 && (double) TIME_STEPS[i] >= least; i--) {
      step = TIME_STEPS[i];
    }
    List<Tick> ticks = new ArrayList<>();
    for (double at = Math.ceil(min / step) * step; at <= max; at += step) {
      ticks.add(new Tick(at, time(at, step)));
    }
    return ticks;
  }

  private static String time(double at, long step) {
    Instant instant = Instant.ofEpochMilli((long) at);
    if (step >= DAY) {
      return DATE.format(instant);
    }
    return (step % 60_000 == 0 ? MINUTE : SECOND).format(instant);
  }

  static String label(Kind kind, double value) {
    if (kind == Kind.COUNT || kind == Kind.RATE) {
      return value >= 1 || value == 0
          ? Values.of(Kind.COUNT, Math.round(value))
          : Values.of(Kind.NUMBER, value);
    } else if (kind == Kind.PERCENT) {
      return new java.math.BigDecimal(value)
              .round(new java.math.MathContext(3))
              .stripTrailingZeros()
              .toPlainString()
          + " %";
    }
    return Values.of(kind, kind == Kind.BYTES ? (Object) Math.round(value) : (Object) value)
        .replace(".0 ", " ");
  }
}
