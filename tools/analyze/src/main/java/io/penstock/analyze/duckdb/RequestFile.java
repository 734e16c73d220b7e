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
import java.util.BitSet;
import java.util.List;

/**
 * A Parquet file of requests while it is written, with a flag for the records that repeat another.
 * Used by a single thread.
 */
final class RequestFile implements Closeable {
  /** The name of the flag. */
  static final String REPEATS = "repeats";

  private static final int COLUMNS = RequestColumn.all().size();

  private final Path path;
  private final ColumnFile file;
  private final TextColumn[] texts = new TextColumn[COLUMNS];
  private final NumberColumn[] numbers = new NumberColumn[COLUMNS];
  private final NumberColumn repeats;

  RequestFile(Path path) throws IOException {
    this.path = path;
    List<Column> columns = new ArrayList<>();
    for (RequestColumn column : RequestColumn.all()) {
      columns.add(new Column(column.sqlName(), column.kind()));
    }
    columns.add(new Column(REPEATS, Kind.FLAG));
    file = new ColumnFile(path, columns);
    for (int i = 0; i < COLUMNS; i++) {
      texts[i] = file.text(i);
      numbers[i] = file.number(i);
    }
    repeats = file.number(COLUMNS);
  }

  void add(RequestRow row) throws IOException {
    long present = row.present();
    long left = present;
    for (int i = 0; left != 0; i++, left >>>= 1) {
      if ((left & 1) == 0) {
        continue;
      }
      TextColumn text = texts[i];
      if (text == null) {
        numbers[i].add(row.number(i));
      } else if (!text.addSame(row.source(i), row.start(i), row.end(i))) {
        text.add(row.source(i), row.start(i), row.end(i), row.hash(i));
      }
    }
    repeats.add(0);
    file.endRow(present | 1L << COLUMNS);
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

  @Override
  public void close() throws IOException {
    file.close();
  }
}
