/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.duckdb;

import io.penstock.analyze.input.LogFile;
import io.penstock.analyze.input.LogParts;
import io.penstock.analyze.input.ReaderThreads;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestReader;
import io.penstock.analyze.request.RequestRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * The requests in Parquet files, one from each thread that reads logs. The logs are converted once,
 * and all queries read the files. Records that repeat others are in the files, but in no query.
 */
final class RequestStore {
  /** About the shortest record of a request: an access log's with a short key and no agent. */
  private static final long LEAST_RECORD_BYTES = 400;

  /** The same of a packed file, or of one that has columns. */
  private static final long LEAST_PACKED_BYTES = 40;

  private RequestStore() {}

  /** Returns about how many records logs have at most. */
  static long expected(List<LogFile> files) {
    long records = 0;
    for (LogFile file : files) {
      long least = file.canBeCut() ? LEAST_RECORD_BYTES : LEAST_PACKED_BYTES;
      records += file.source().sizeBytes() / least;
    }
    return records;
  }

  /**
   * Reads logs into files.
   *
   * @param directory where the files are created
   * @param threads the most threads that read at the same time
   * @param seen is given all records
   * @param retried is given all requests
   * @return the files, at least one
   */
  static List<RequestFile> write(
      LogParts parts, Path directory, int threads, SeenRecords seen, RetriedChains retried)
      throws IOException {
    int readers = Math.max(1, Math.min(threads, parts.count()));
    AtomicBoolean isStopped = new AtomicBoolean();
    // All are created before any thread begins, so that no thread is left if one cannot be.
    List<RequestFile> files = create(directory, readers);
    List<Callable<Void>> works = new ArrayList<>();
    for (RequestFile file : files) {
      works.add(
          () -> {
            write(parts, file, seen.reader(), retried.new Reader(), isStopped);
            return null;
          });
    }
    ReaderThreads.run(works, () -> isStopped.set(true));
    return files;
  }

  private static List<RequestFile> create(Path directory, int count) throws IOException {
    List<RequestFile> files = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        files.add(new RequestFile(directory.resolve("requests-" + i + ".parquet")));
      }
      return files;
    } catch (IOException e) {
      for (RequestFile file : files) {
        try {
          file.close();
        } catch (IOException second) {
          e.addSuppressed(second);
        }
      }
      throw e;
    }
  }

  private static void write(
      LogParts parts,
      RequestFile file,
      HashBits.Adder seen,
      RetriedChains.Reader retried,
      AtomicBoolean isStopped)
      throws IOException {
    RequestRow row = new RequestRow();
    try (file;
        RequestReader reader = parts.reader()) {
      while (!isStopped.get() && reader.next(row)) {
        file.add(row);
        retried.add(row);
        if (row.has(RequestColumn.RECORD)) {
          seen.add(row.number(RequestColumn.RECORD));
        }
      }
    }
    seen.end();
    retried.end();
  }

  /**
   * Returns a query for the requests in such files.
   *
   * @param hasRepeats whether any record repeats another, and has to be left out
   */
  static String query(List<Path> files, boolean hasRepeats) {
    String all = "select * exclude (%s) from %s".formatted(RequestFile.REPEATS, from(files));
    return hasRepeats ? all + " where not " + RequestFile.REPEATS : all;
  }

  /** Returns a query for how many records repeat another. */
  static String queryRepeats(List<Path> files) {
    return "select count(*) from %2$s where %1$s".formatted(RequestFile.REPEATS, from(files));
  }

  /** Returns the files as a table, with all their records. */
  static String from(List<Path> files) {
    return files.stream()
        .map(SqlPath::pattern)
        .collect(Collectors.joining(", ", "read_parquet([", "])"));
  }
}
