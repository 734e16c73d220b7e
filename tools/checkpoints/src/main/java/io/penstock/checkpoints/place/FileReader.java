/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.place;

import io.penstock.core.pool.Parallel;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.zip.CRC32C;

/** Reads many small files in parallel, each up to a size limit. */
public final class FileReader {
  /**
   * The largest file that is read. Files of these kinds normally have kilobytes; Kafka offsets of
   * many partitions have somewhat more.
   */
  static final int MAX_BYTES = 16 << 20;

  private static final int CHUNK_BYTES = 8 << 20;
  private static final long QUIET = 200;

  private final CheckpointPlace files;
  private final Executor pool;
  private final ProgressListener progress;

  /** Creates a reader that works in the pool and reports its progress. */
  public FileReader(CheckpointPlace files, Executor pool, ProgressListener progress) {
    this.files = files;
    this.pool = pool;
    this.progress = progress;
  }

  /** Reads a file and parses its bytes. */
  public <T> Read<T> read(StoredFile file, Function<byte[], Read<T>> parser) throws IOException {
    if (file.sizeBytes() > MAX_BYTES) {
      return Read.unknown(
          "it has " + file.sizeBytes() + " bytes, more than any file that Spark writes");
    }
    try {
      return parser.apply(files.read(file, 0, MAX_BYTES));
    } catch (FileChangedException e) {
      return Read.unknown("it changed or disappeared while it was being read");
    }
  }

  /** Reads all files in parallel. The result maps each path to the content. */
  public <T> Map<String, Read<T>> readAll(
      String what, Collection<StoredFile> wanted, Function<byte[], Read<T>> parser)
      throws IOException {
    Map<String, Read<T>> results = new ConcurrentHashMap<>();
    forEach(what, wanted, file -> results.put(file.path(), read(file, parser)));
    return results;
  }

  /** Returns the CRC32C of each file. A file that has changed since it was listed is left out. */
  public Map<String, Long> checksums(Collection<StoredFile> wanted) throws IOException {
    Map<String, Long> results = new ConcurrentHashMap<>();
    forEach(
        "files compared with their checksums",
        wanted,
        file -> {
          try {
            results.put(file.path(), checksum(file));
          } catch (FileChangedException e) {
            // A running query has replaced or purged the file, so there is nothing to compare.
          }
        });
    return results;
  }

  private long checksum(StoredFile file) throws IOException {
    CRC32C sum = new CRC32C();
    for (long at = 0; at < file.sizeBytes(); at += CHUNK_BYTES) {
      sum.update(files.read(file, at, CHUNK_BYTES));
    }
    return sum.getValue();
  }

  private void forEach(
      String what, Collection<StoredFile> wanted, Parallel.Action<StoredFile> action)
      throws IOException {
    AtomicLong done = new AtomicLong();
    Parallel.forEach(
        pool,
        wanted,
        file -> {
          action.run(file);
          long count = done.incrementAndGet();
          if (wanted.size() > QUIET && count % QUIET == 0) {
            progress.at(what, count, wanted.size());
          }
        });
  }
}
