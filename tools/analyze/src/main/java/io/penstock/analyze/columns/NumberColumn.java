/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.columns;

/** A column of whole numbers, of times, or of flags that are 0 or 1. */
public final class NumberColumn implements ColumnChunk {
  private final boolean isFlag;
  private final Presence presence = new Presence();
  private final long[] values = new long[RowGroup.MAX_ROWS];
  private long min = Long.MAX_VALUE;
  private long max = Long.MIN_VALUE;

  NumberColumn(boolean isFlag) {
    this.isFlag = isFlag;
  }

  /**
   * Sets the value of a row.
   *
   * @param row the row's number in its row group; rows that are left out have no value
   */
  public void add(int row, long value) {
    values[presence.values()] = value;
    presence.add(row);
  }

  @Override
  public void write(int rows, PageWriter pages) throws java.io.IOException {
    presence.end(rows);
    GrowingBytes page = pages.page();
    presence.write(page);
    int count = presence.values();
    page.reserve(count * Long.BYTES + Long.BYTES);
    if (isFlag) {
      for (int i = 0; i < count; i += Byte.SIZE) {
        int bits = 0;
        for (int bit = 0; bit < Byte.SIZE && i + bit < count; bit++) {
          bits |= (int) values[i + bit] << bit;
        }
        page.add(bits);
      }
    } else {
      for (int i = 0; i < count; i++) {
        page.addLong(values[i]);
        min = Math.min(min, values[i]);
        max = Math.max(max, values[i]);
      }
    }
    pages.data(presence.rows(), PageWriter.PLAIN);
    if (count > 0 && !isFlag) {
      pages.range(min, max);
    }
    pages.nulls(presence.rows() - count);
    presence.clear();
    min = Long.MAX_VALUE;
    max = Long.MIN_VALUE;
  }
}
