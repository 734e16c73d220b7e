/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.columns;

/**
 * Which columns have a value in which rows of a row group. A row arrives as a set of columns, one
 * bit each. Parquet wants the rows of each column instead, its definition levels; these are made
 * when the column is written.
 */
final class ColumnPresence {
  private final long[] rows = new long[OpenRowGroup.MAX_ROWS];
  private final long[] bits = new long[OpenRowGroup.MAX_ROWS / Long.SIZE];
  private int count;
  // The columns that have a value in every row so far.
  private long inAll = -1;

  /**
   * Adds a row.
   *
   * @param columns one bit for each column that has a value; bit 0 is the column with index 0
   */
  void add(long columns) {
    rows[count++] = columns;
    inAll &= columns;
  }

  /** Returns the number of rows. */
  int rows() {
    return count;
  }

  void clear() {
    count = 0;
    inAll = -1;
  }

  /**
   * Appends the levels of a column with their length before them.
   *
   * @param values in how many rows the column has a value
   */
  void write(int column, int values, GrowingBytes page) {
    page.reserve(2 * Integer.BYTES + Runs.MAX_HEADER + bits.length * Long.BYTES);
    int lengthAt = page.size();
    page.addInt(0);
    if (values == 0 || (inAll >>> column & 1) != 0) {
      page.addVarint((long) count << 1);
      page.add(values == 0 ? 0 : 1);
    } else {
      transpose(column);
      int groups = (count + Byte.SIZE - 1) / Byte.SIZE;
      page.addVarint(((long) groups << 1) | 1);
      for (int i = 0; i < groups; i++) {
        page.add((int) (bits[i >> 3] >>> ((i & 7) * Byte.SIZE)));
      }
    }
    page.setInt(lengthAt, page.size() - lengthAt - Integer.BYTES);
  }

  private void transpose(int column) {
    for (int word = 0, row = 0; row < count; word++) {
      long some = 0;
      int end = Math.min(count, row + Long.SIZE);
      for (int bit = 0; row < end; row++, bit++) {
        some |= (rows[row] >>> column & 1) << bit;
      }
      bits[word] = some;
    }
  }
}
