/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.columns;

import java.util.Arrays;

/** Records which rows of a column have a value, one bit a row: Parquet's definition levels. */
final class Presence {
  private final long[] bits = new long[RowGroup.MAX_ROWS / Long.SIZE];
  private int rows;
  private int values;

  /**
   * Says that a row has a value. The rows since the last one that had a value have none.
   *
   * @param row its number in the row group, from 0; greater than in the last call
   */
  void add(int row) {
    // The bits are kept only from the first row on that lacks a value.
    if (values != row) {
      if (values == rows) {
        markAllSoFar();
      }
      bits[row >> 6] |= 1L << row;
    }
    values++;
    rows = row + 1;
  }

  /** Says how many rows there are; those after the last value have none. */
  void end(int allRows) {
    if (values == rows && rows < allRows) {
      markAllSoFar();
    }
    rows = allRows;
  }

  private void markAllSoFar() {
    Arrays.fill(bits, 0, rows >> 6, -1L);
    bits[rows >> 6] = (1L << rows) - 1;
  }

  /** Returns the number of rows that have a value. */
  int values() {
    return values;
  }

  void clear() {
    Arrays.fill(bits, 0);
    rows = 0;
    values = 0;
  }

  /** Appends the levels with their length before them. */
  void write(GrowingBytes page) {
    page.reserve(2 * Integer.BYTES + Runs.MAX_HEADER + bits.length * Long.BYTES);
    int lengthAt = page.size();
    page.addInt(0);
    if (values == 0 || values == rows) {
      page.addVarint((long) rows << 1);
      page.add(values == 0 ? 0 : 1);
    } else {
      int groups = (rows + Byte.SIZE - 1) / Byte.SIZE;
      page.addVarint(((long) groups << 1) | 1);
      for (int i = 0; i < groups; i++) {
        page.add((int) (bits[i >> 3] >>> ((i & 7) * Byte.SIZE)));
      }
    }
    page.setInt(lengthAt, page.size() - lengthAt - Integer.BYTES);
  }
}
