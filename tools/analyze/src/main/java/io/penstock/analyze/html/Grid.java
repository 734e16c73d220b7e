/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import io.penstock.tables.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Time in even steps: what is counted at some moments, with zeros where nothing was. */
record Grid(long startMillis, long stepMillis, int steps) {
  private static final long DAY = 86_400_000;
  private static final long[] STEPS = {
    1_000,
    2_000,
    5_000,
    10_000,
    20_000,
    30_000,
    60_000,
    120_000,
    300_000,
    600_000,
    1_200_000,
    1_800_000,
    3_600_000,
    7_200_000,
    14_400_000,
    21_600_000,
    43_200_000,
    DAY
  };

  /**
   * A grid over the column {@code started} of a table that has rows.
   *
   * @param spanMillis at least so long is a step
   * @param most so many steps at most
   */
  static Grid over(Table table, long spanMillis, int most) {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (int row = 0; row < table.rows().size(); row++) {
      long at = millis(table, row);
      first = Math.min(first, at);
      last = Math.max(last, at);
    }
    long step = step(spanMillis, (last - first) / most + 1);
    long start = Math.floorDiv(first, step) * step;
    return new Grid(start, step, (int) ((last - start) / step + 1));
  }

  private static long step(long spanMillis, long least) {
    for (long step : STEPS) {
      if (step >= least && step % spanMillis == 0) {
        return step;
      }
    }
    return (Math.max(least, spanMillis) + DAY - 1) / DAY * DAY;
  }

  /** The shortest time between two rows of a table that is in order, as its query chose it. */
  static long span(Table table) {
    long span = Long.MAX_VALUE;
    for (int row = 1; row < table.rows().size(); row++) {
      long gap = Math.abs(millis(table, row) - millis(table, row - 1));
      span = gap > 0 ? Math.min(span, gap) : span;
    }
    // Spans that a query may choose, so that a hole in the data is not taken for one.
    for (long step : new long[] {3_600_000, 60_000, 10_000}) {
      if (span != Long.MAX_VALUE && span % step == 0 && isOn(table, step)) {
        return step;
      }
    }
    return 1_000;
  }

  private static boolean isOn(Table table, long step) {
    for (int row = 0; row < table.rows().size(); row++) {
      if (millis(table, row) % step != 0) {
        return false;
      }
    }
    return true;
  }

  static long millis(Table table, int row) {
    return ((Instant) table.at(row, "started")).toEpochMilli();
  }

  int index(Table table, int row) {
    return (int) ((millis(table, row) - startMillis) / stepMillis);
  }

  List<Double> zeros() {
    return new ArrayList<>(Collections.nCopies(steps, 0.0));
  }

  /** Sums of a column by step. */
  List<Double> sums(Table table, String column) {
    List<Double> sums = zeros();
    for (int row = 0; row < table.rows().size(); row++) {
      int index = index(table, row);
      sums.set(index, sums.get(index) + table.number(row, column));
    }
    return sums;
  }

  /** The greatest of a column by step. */
  List<Double> peaks(Table table, String column) {
    List<Double> peaks = zeros();
    for (int row = 0; row < table.rows().size(); row++) {
      int index = index(table, row);
      peaks.set(index, Math.max(peaks.get(index), table.number(row, column)));
    }
    return peaks;
  }

  /** Sums as rates a second. */
  List<Double> rates(List<Double> sums) {
    return sums.stream().map(sum -> sum * 1_000 / stepMillis).toList();
  }

  Instant time(int step) {
    return Instant.ofEpochMilli(startMillis + step * stepMillis);
  }
}
