/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.duckdb;

import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestRow;
import io.penstock.tables.Kind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.duckdb.DuckDBWritableVector;

/** A batch of a few thousand rows, converted from rows into columns. */
final class RowBatch {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final long HIGH_BITS = 0x8080808080808080L;

  private final byte[][][] texts;
  private final long[][] numbers;
  private final boolean[][] present;
  private int size;

  RowBatch(int capacity) {
    int columns = RequestColumn.all().size();
    texts = new byte[columns][][];
    numbers = new long[columns][];
    present = new boolean[columns][];
    for (RequestColumn column : RequestColumn.all()) {
      if (column.kind() == Kind.TEXT) {
        texts[column.index()] = new byte[capacity][];
      } else {
        numbers[column.index()] = new long[capacity];
        present[column.index()] = new boolean[capacity];
      }
    }
  }

  void clear() {
    size = 0;
  }

  int size() {
    return size;
  }

  void add(RequestRow row) {
    for (RequestColumn column : RequestColumn.all()) {
      int index = column.index();
      if (column.kind() == Kind.TEXT) {
        texts[index][size] = row.bytes(column);
      } else {
        numbers[index][size] = row.number(column);
        present[index][size] = row.has(column);
      }
    }
    size++;
  }

  void write(RequestColumn column, DuckDBWritableVector vector) {
    int index = column.index();
    switch (column.kind()) {
      case TEXT -> write(texts[index], vector);
      case FLAG -> {
        for (int i = 0; i < size; i++) {
          if (present[index][i]) {
            vector.setBoolean(i, numbers[index][i] != 0);
          } else {
            vector.setNull(i);
          }
        }
      }
      default -> {
        for (int i = 0; i < size; i++) {
          if (present[index][i]) {
            vector.setLong(i, numbers[index][i]);
          } else {
            vector.setNull(i);
          }
        }
      }
    }
  }

  private void write(byte[][] column, DuckDBWritableVector vector) {
    for (int i = 0; i < size; i++) {
      if (column[i] != null) {
        column[i] = utf8(column[i]);
      }
    }
    vector.setStringUtf8Batch(0, size == column.length ? column : Arrays.copyOf(column, size));
  }

  /**
   * Returns the text as valid UTF-8: DuckDB accepts nothing else, but a log may contain any bytes.
   */
  private static byte[] utf8(byte[] text) {
    int i = 0;
    for (; i + Long.BYTES <= text.length; i += Long.BYTES) {
      if (((long) LONGS.get(text, i) & HIGH_BITS) != 0) {
        return replaced(text);
      }
    }
    for (; i < text.length; i++) {
      if (text[i] < 0) {
        return replaced(text);
      }
    }
    return text;
  }

  private static byte[] replaced(byte[] text) {
    return new String(text, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8);
  }
}
