/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.duckdb;

import io.penstock.analyze.columns.ColumnFile;
import io.penstock.analyze.columns.NumberColumn;
import io.penstock.analyze.columns.TextColumn;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestRow;
import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * A Parquet file of requests while it is written, with a flag for the records that repeat another,
 * and one for the requests that may be one of several attempts. Used by a single thread.
 */
final class RequestFile implements Closeable {
  /** The name of the flag of records that repeat another. */
  static final String REPEATS = "repeats";

  /** The name of the flag of requests that may be one of several attempts. */
  static final String RETRIED = "retried";

  private static final int COLUMNS = RequestColumn.all().size();
  private static final boolean[] IS_TEXT = new boolean[COLUMNS];

  static {
    for (RequestColumn column : RequestColumn.all()) {
      IS_TEXT[column.index()] = column.kind() == Kind.TEXT;
    }
  }

  private static final long FLAGS = 3L << COLUMNS;

  /** The bits of the golden ratio, which mix others well. */
  private static final long MIX = 0x9e3779b97f4a7c15L;

  /** Requests of one kind have values in the same columns, and there are few kinds. */
  private static final int KNOWN_BITS = 8;

  /** The indexes of the columns that have a value, by a row's bits. */
  private static final class Columns {
    final long present;
    final int[] numbers;
    final int[] texts;

    Columns(long present) {
      this.present = present;
      this.numbers = indexes(present, false);
      this.texts = indexes(present, true);
    }

    private static int[] indexes(long present, boolean isText) {
      int[] indexes = new int[COLUMNS];
      int count = 0;
      for (int index = 0; index < COLUMNS; index++) {
        if ((present >>> index & 1) != 0 && IS_TEXT[index] == isText) {
          indexes[count++] = index;
        }
      }
      return Arrays.copyOf(indexes, count);
    }
  }

  private final Path path;
  private final ColumnFile file;
  private final TextColumn[] texts = new TextColumn[COLUMNS];
  private final NumberColumn[] numbers = new NumberColumn[COLUMNS];
  private final Columns[] known = new Columns[1 << KNOWN_BITS];
  private final NumberColumn repeats;
  private final NumberColumn retried;

  RequestFile(Path path) throws IOException {
    this.path = path;
    List<Column> columns = new ArrayList<>();
    for (RequestColumn column : RequestColumn.all()) {
      columns.add(new Column(column.sqlName(), column.kind()));
    }
    columns.add(new Column(REPEATS, Kind.FLAG));
    columns.add(new Column(RETRIED, Kind.FLAG));
    file = new ColumnFile(path, columns);
    for (int i = 0; i < COLUMNS; i++) {
      texts[i] = file.text(i);
      numbers[i] = file.number(i);
    }
    repeats = file.number(COLUMNS);
    retried = file.number(COLUMNS + 1);
  }

  void add(RequestRow row) throws IOException {
    long present = row.present();
    Columns columns = columns(present);
    for (int i : columns.numbers) {
      numbers[i].add(row.number(i));
    }
    for (int i : columns.texts) {
      TextColumn text = texts[i];
      byte[] source = row.source(i);
      if (!text.addSame(source, row.start(i), row.end(i))) {
        text.add(source, row.start(i), row.end(i), row.hash(i));
      }
    }
    repeats.add(0);
    retried.add(0);
    file.endRow(present | FLAGS);
  }

  private Columns columns(long present) {
    int slot = (int) ((present * MIX) >>> (Long.SIZE - KNOWN_BITS));
    Columns columns = known[slot];
    if (columns == null || columns.present != present) {
      columns = new Columns(present);
      known[slot] = columns;
    }
    return columns;
  }

  Path path() {
    return path;
  }

  /**
   * Marks the records that repeat others, once the file was closed.
   *
   * @param rows bit 0 is the first row
   */
  void markRepeats(BitSet rows) throws IOException {
    file.setFlags(COLUMNS, rows);
  }

  /** Marks the requests whose chain is among some, once the file was closed. */
  void markRetried(LongPredicate chains) throws IOException {
    file.setFlags(COLUMNS + 1, RequestColumn.CHAIN.index(), chains);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
