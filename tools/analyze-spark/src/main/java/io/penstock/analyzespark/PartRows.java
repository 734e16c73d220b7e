/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import io.penstock.analyze.input.LogFile;
import io.penstock.analyze.input.LogPart;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestReader;
import io.penstock.analyze.request.RequestRow;
import io.penstock.tables.Kind;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.LongConsumer;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;

/**
 * Iterates over the rows of a task. After the requests of each part follows one row with the part's
 * result, such as its parse statistics. See {@link RequestFiles}.
 */
final class PartRows implements Iterator<Row>, AutoCloseable {
  private static final int COLUMNS = RequestColumn.all().size();

  private final Iterator<PartRef> parts;
  private final WorkStores stores;
  private final LongConsumer doneBytes;
  private final RequestRow row = new RequestRow();
  private LogPart part;
  private RequestReader reader;
  private ParseStatistics statistics;
  private Row next;

  /**
   * Starts with the first part of the task.
   *
   * @param doneBytes receives the bytes of each part after it was read
   */
  PartRows(ReadTask task, LongConsumer doneBytes) {
    this.parts = task.parts().iterator();
    this.stores = new WorkStores(task.storeSettings());
    this.doneBytes = doneBytes;
  }

  @Override
  public boolean hasNext() {
    if (next == null) {
      try {
        next = find();
      } catch (IOException e) {
        throw new UncheckedIOException(e.getMessage(), e);
      }
    }
    return next != null;
  }

  @Override
  public Row next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Row found = next;
    next = null;
    return found;
  }

  private Row find() throws IOException {
    if (reader == null) {
      if (!parts.hasNext()) {
        close();
        return null;
      }
      part = parts.next().part(stores);
      statistics = new ParseStatistics();
      reader = part.open(statistics);
    }
    return reader.next(row) ? request() : result();
  }

  private Row request() {
    Object[] values = new Object[COLUMNS + 1];
    for (RequestColumn column : RequestColumn.all()) {
      if (row.has(column)) {
        values[column.index()] = value(column);
      }
    }
    return RowFactory.create(values);
  }

  private Object value(RequestColumn column) {
    if (column.kind() == Kind.TEXT) {
      return row.text(column);
    }
    long number = row.number(column);
    return column.kind() == Kind.FLAG ? Boolean.valueOf(number != 0) : Long.valueOf(number);
  }

  private Row result() throws IOException {
    reader.close();
    reader = null;
    doneBytes.accept(part.bytes());
    Object[] values = new Object[COLUMNS + 1];
    LogFile file = part.file();
    Serializable learned = file.format().learned().orElse(null);
    values[COLUMNS] = Bytes.of(new PartResult(file.number(), statistics, learned));
    return RowFactory.create(values);
  }

  @Override
  public void close() throws IOException {
    try (stores) {
      if (reader != null) {
        reader.close();
        reader = null;
      }
    }
  }
}
