/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.duckdb;

import io.penstock.analyze.columns.ColumnFile;
import io.penstock.analyze.columns.NumberColumn;
import io.penstock.analyze.columns.TextColumn;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestRow;
import io.penstock.tables.Column;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** A Parquet file of requests while it is written. Used by a single thread. */
final class RequestFile implements Closeable {
  private static final int COLUMNS = RequestColumn.all().size();

  private final ColumnFile file;
  private final TextColumn[] texts = new TextColumn[COLUMNS];
  private final NumberColumn[] numbers = new NumberColumn[COLUMNS];

  RequestFile(Path path) throws IOException {
    file =
        new ColumnFile(
            path,
            RequestColumn.all().stream()
                .map(column -> new Column(column.sqlName(), column.kind()))
                .toList());
    for (int i = 0; i < COLUMNS; i++) {
      texts[i] = file.text(i);
      numbers[i] = file.number(i);
    }
  }

  void add(RequestRow row) throws IOException {
    int place = file.row();
    long present = row.present();
    for (int i = 0; i < COLUMNS; i++) {
      if ((present >>> i & 1) != 0) {
        if (texts[i] == null) {
          numbers[i].add(place, row.number(i));
        } else if (!texts[i].addSame(place, row.source(i), row.start(i), row.end(i))) {
          texts[i].add(place, row.source(i), row.start(i), row.end(i), row.hash(i));
        }
      }
    }
    file.endRow();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
