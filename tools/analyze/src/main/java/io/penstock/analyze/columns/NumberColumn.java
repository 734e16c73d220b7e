/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.columns;

import java.io.IOException;

/** A column of whole numbers, of times, or of flags that are 0 or 1. */
public final class NumberColumn implements ColumnChunk {
  /** The most different values for which codes are tried. */
  private static final int FEW = 16;

  private final boolean isFlag;
  private final long[] values = new long[OpenRowGroup.MAX_ROWS];
  private final int[] codes = new int[OpenRowGroup.MAX_ROWS];
  private final long[] few = new long[FEW];
  private int count;

  NumberColumn(boolean isFlag) {
    this.isFlag = isFlag;
  }

  /** Adds a value, that of the row which is being added. */
  public void add(long value) {
    values[count++] = value;
  }

  @Override
  public void write(int column, ColumnPresence presence, PageWriter pages) throws IOException {
    int distinct = isFlag ? 0 : codes();
    GrowingBytes page = pages.page();
    if (distinct > 0) {
      page.reserve(distinct * Long.BYTES);
      for (int i = 0; i < distinct; i++) {
        page.addLong(few[i]);
      }
      pages.dictionary(distinct);
    }
    presence.write(column, count, page);
    page.reserve(count * Long.BYTES + Long.BYTES);
    if (distinct > 0) {
      Runs.write(codes, count, Runs.width(distinct - 1), page);
    } else if (isFlag) {
      writeFlags(page);
    } else {
      for (int i = 0; i < count; i++) {
        page.addLong(values[i]);
      }
    }
    pages.data(presence.rows(), distinct > 0 ? PageWriter.DICTIONARY : PageWriter.PLAIN);
    if (count > 0 && !isFlag) {
      range(pages);
    }
    pages.nulls(presence.rows() - count);
    count = 0;
  }

  /** Returns how many different values there are, and sets their codes; 0 if they are many. */
  private int codes() {
    int distinct = 0;
    int code = 0;
    for (int i = 0; i < count; i++) {
      long value = values[i];
      if (distinct == 0 || few[code] != value) {
        code = 0;
        while (code < distinct && few[code] != value) {
          code++;
        }
        if (code == FEW) {
          return 0;
        }
        if (code == distinct) {
          few[distinct++] = value;
        }
      }
      codes[i] = code;
    }
    return distinct;
  }

  private void writeFlags(GrowingBytes page) {
    for (int i = 0; i < count; i += Byte.SIZE) {
      int bits = 0;
      for (int bit = 0; bit < Byte.SIZE && i + bit < count; bit++) {
        bits |= (int) values[i + bit] << bit;
      }
      page.add(bits);
    }
  }

  private void range(PageWriter pages) {
    long min = values[0];
    long max = values[0];
    for (int i = 1; i < count; i++) {
      min = Math.min(min, values[i]);
      max = Math.max(max, values[i]);
    }
    pages.range(min, max);
  }
}
