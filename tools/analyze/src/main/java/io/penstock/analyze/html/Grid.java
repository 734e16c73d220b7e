/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import io.penstock.tables.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.DoubleBinaryOperator;

/** Divides time into equal steps. Values are summed by step, and a step without values is zero. */
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
   * Returns a grid over the column {@code started} of a table that has rows.
   *
   * @param spanMillis the shortest step
   * @param most the largest number of steps
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

  /** Returns the time between rows that the table's query chose. The rows must be in order. */
  static long span(Table table) {
    long span = Long.MAX_VALUE;
    for (int row = 1; row < table.rows().size(); row++) {
      long gap = Math.abs(millis(table, row) - millis(table, row - 1));
      span = gap > 0 ? Math.min(span, gap) : span;
    }
    // These are the spans that a query may choose. Checking them avoids mistaking a gap in the data
    // for the span.
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

  /** Returns the sum of a column for each step. */
  List<Double> sums(Table table, String column) {
    return merged(table, column, Double::sum);
  }

  /** Returns the largest value of a column for each step. */
  List<Double> peaks(Table table, String column) {
    return merged(table, column, Math::max);
  }

  private List<Double> merged(Table table, String column, DoubleBinaryOperator merge) {
    List<Double> merged = zeros();
    for (int row = 0; row < table.rows().size(); row++) {
      int index = index(table, row);
      merged.set(index, merge.applyAsDouble(merged.get(index), table.number(row, column)));
    }
    return merged;
  }

  /** Converts sums for each step into rates a second. */
  List<Double> rates(List<Double> sums) {
    return sums.stream().map(sum -> sum * 1_000 / stepMillis).toList();
  }

  Instant time(int step) {
    return Instant.ofEpochMilli(startMillis + step * stepMillis);
  }
}
