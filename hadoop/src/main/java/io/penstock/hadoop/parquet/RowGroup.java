/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.parquet;

import io.penstock.core.store.ByteRange;
import java.util.List;

/**
 * Where the columns of a row group are in a Parquet file.
 *
 * @param columns the bytes of each column, in the order of the schema; at least one
 */
record RowGroup(List<ByteRange> columns) {
  public RowGroup {
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("a row group has at least one column");
    }
    columns = List.copyOf(columns);
  }

  /** Returns the bytes from the first to the last column. */
  public ByteRange extent() {
    long start = Long.MAX_VALUE;
    long end = 0;
    for (ByteRange column : columns) {
      start = Math.min(start, column.start());
      end = Math.max(end, column.end());
    }
    return new ByteRange(start, end);
  }

  /**
   * Returns the byte that decides which split the row group belongs to, as Parquet's readers have
   * it (ParquetMetadataConverter.filterFileMetaDataByMidpoint).
   */
  public long middle() {
    long total = 0;
    for (ByteRange column : columns) {
      total += column.lengthBytes();
    }
    return extent().start() + total / 2;
  }
}
