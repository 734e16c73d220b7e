/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.duckdb;

import io.penstock.analyze.input.LogParts;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestReader;
import io.penstock.analyze.request.RequestRow;
import io.penstock.tables.Kind;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBDataChunkWriter;
import org.duckdb.DuckDBTableFunction;
import org.duckdb.DuckDBTableFunctionBindInfo;
import org.duckdb.DuckDBTableFunctionCallInfo;
import org.duckdb.DuckDBTableFunctionInitInfo;
import org.duckdb.DuckDBWritableVector;

/**
 * Provides the requests of logs as a DuckDB table function. DuckDB calls it on all its threads, and
 * each thread reads parts of the logs. An instant is given as microseconds, which DuckDB converts
 * with make_timestamp.
 */
final class RequestsFunction
    implements DuckDBTableFunction<Object, Object, RequestsFunction.Worker> {
  private final LogParts parts;
  private final int threads;
  private final AtomicReference<IOException> failure = new AtomicReference<>();
  private final ConcurrentLinkedQueue<RequestReader> open = new ConcurrentLinkedQueue<>();

  RequestsFunction(LogParts parts, int threads) {
    this.parts = parts;
    this.threads = threads;
  }

  /** The state that one DuckDB thread keeps between its calls. */
  static final class Worker {
    private final RequestReader reader;
    private final RequestRow row = new RequestRow();
    private RowBatch batch;

    Worker(RequestReader reader) {
      this.reader = reader;
    }

    private RowBatch batch(int capacity) {
      if (batch == null) {
        batch = new RowBatch(capacity);
      }
      batch.clear();
      return batch;
    }
  }

  @Override
  public Object bind(DuckDBTableFunctionBindInfo info) {
    for (RequestColumn column : RequestColumn.all()) {
      info.addResultColumn(column.sqlName(), type(column.kind()));
    }
    return this;
  }

  private static DuckDBColumnType type(Kind kind) {
    return switch (kind) {
      case TEXT -> DuckDBColumnType.VARCHAR;
      case FLAG -> DuckDBColumnType.BOOLEAN;
      default -> DuckDBColumnType.BIGINT;
    };
  }

  @Override
  public Object init(DuckDBTableFunctionInitInfo info) {
    info.setMaxThreads(threads);
    return this;
  }

  @Override
  public Worker localInit(DuckDBTableFunctionInitInfo info) {
    RequestReader reader = parts.reader();
    open.add(reader);
    return new Worker(reader);
  }

  @Override
  public long apply(DuckDBTableFunctionCallInfo info, DuckDBDataChunkWriter output)
      throws IOException {
    Worker worker = info.getLocalInitData();
    int capacity = (int) output.capacity();
    RowBatch batch = worker.batch(capacity);
    try {
      while (batch.size() < capacity && worker.reader.next(worker.row)) {
        batch.add(worker.row);
      }
    } catch (IOException e) {
      failure.compareAndSet(null, e);
      throw e;
    }
    for (RequestColumn column : RequestColumn.all()) {
      DuckDBWritableVector vector = output.vector(column.index());
      batch.write(column, vector);
    }
    return batch.size();
  }

  /**
   * Returns the exception that stopped the reading of the logs. DuckDB itself passes it on only as
   * a text that contains a stack trace.
   */
  Optional<IOException> failure() {
    return Optional.ofNullable(failure.get());
  }

  /** Closes the readers that an interrupted query has left open. */
  void close() throws IOException {
    for (RequestReader reader : open) {
      reader.close();
    }
  }
}
