/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.attempt.Cancellation;
import io.penstock.core.read.FetchQueue.Fetch;
import io.penstock.core.read.ObjectReader;
import io.penstock.core.read.RangeMerger;
import io.penstock.core.read.RangeMerger.Merged;
import io.penstock.core.read.RangeSplitter;
import io.penstock.core.read.Reads;
import io.penstock.core.retry.RetryBudget;
import io.penstock.core.store.ByteRange;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.FileRange;

/**
 * Reads many ranges at once. One request reads ranges that are close together, and several requests
 * read a large range. As many requests run at the same time as the read budget allows. This is a
 * separate class because Hadoop 3.3.4 has no {@link FileRange}.
 */
final class VectoredRead {
  private final String path;
  private final ObjectReader reader;
  private final Reads reads;
  private final Executor pool;
  private final IntConsumer countRead;
  private final Cancellation closing = new Cancellation("the stream was closed");

  VectoredRead(
      String path, ObjectReader reader, Reads reads, Executor pool, IntConsumer countRead) {
    this.path = path;
    this.reader = reader;
    this.reads = reads;
    this.pool = pool;
    this.countRead = countRead;
  }

  void start(List<? extends FileRange> ranges, IntFunction<ByteBuffer> allocate)
      throws IOException {
    Objects.requireNonNull(allocate, "allocate");
    List<? extends FileRange> sorted = validated(ranges);
    sorted.forEach(range -> range.setData(new CompletableFuture<>()));
    Map<ByteRange, FileRange> wanted = new LinkedHashMap<>();
    for (FileRange range : sorted) {
      if (range.getLength() == 0) {
        range.getData().complete(allocate.apply(0));
      } else {
        wanted.put(new ByteRange(range.getOffset(), range.getOffset() + range.getLength()), range);
      }
    }
    // Counts the bytes here, in the caller's thread, because Spark counts reads by thread.
    wanted.keySet().forEach(range -> countRead.accept((int) range.lengthBytes()));
    List<Merged> all = new RangeMerger(reads.config()).merge(new ArrayList<>(wanted.keySet()));
    long pieceBytes = reads.pieceBytes(all.stream().mapToLong(m -> m.range().lengthBytes()).sum());
    for (Merged merged : all) {
      RangeFiller filler = new RangeFiller(merged, wanted, allocate);
      RangeSplitter.split(merged.range(), pieceBytes).forEach(piece -> submit(piece, filler));
    }
  }

  /**
   * Ends all reads: ranges that are not complete fail, requests that have not begun are not made,
   * and failed requests are not repeated.
   */
  void close() {
    closing.cancel();
  }

  private void submit(ByteRange piece, RangeFiller filler) {
    // Keeps the caller's retry budget, because the thread that starts the read may belong to
    // another task.
    Optional<RetryBudget> account = RetryBudget.current();
    reads
        .budget()
        .fetches()
        .submit(
            new Fetch(
                reader.bucket(),
                piece.lengthBytes(),
                reads.config().memoryMaxBytes(),
                pool,
                release -> RetryBudget.runOn(account, () -> read(piece, filler, release)),
                failure -> filler.fail(piece, failure)));
  }

  /**
   * Reads a piece and copies its bytes out. Completes ranges after the memory of the piece is
   * released.
   */
  private void read(ByteRange piece, RangeFiller filler, Runnable release) {
    try {
      if (!filler.needs(piece)) {
        return; // Another piece of the same range has failed.
      }
      int length = Math.toIntExact(piece.lengthBytes());
      byte[] bytes = closing.run(() -> reader.fetch(piece.start(), length));
      Runnable complete = filler.fill(piece, bytes);
      release.run();
      complete.run();
    } catch (IOException | RuntimeException | Error e) {
      filler.fail(piece, e instanceof IOException io ? Failures.translate(path, io) : e);
    }
  }

  private List<? extends FileRange> validated(List<? extends FileRange> ranges) throws IOException {
    Objects.requireNonNull(ranges, "ranges");
    List<FileRange> sorted = new ArrayList<>(ranges.size());
    for (FileRange range : ranges) {
      Objects.requireNonNull(range, "range");
      if (range.getLength() < 0) {
        throw new IllegalArgumentException("negative length in " + range);
      }
      if (range.getOffset() < 0 || range.getOffset() + range.getLength() > reader.sizeBytes()) {
        throw new EOFException(
            "%s is not inside %s of %d bytes".formatted(range, path, reader.sizeBytes()));
      }
      sorted.add(range);
    }
    sorted.sort(Comparator.comparingLong(FileRange::getOffset));
    for (int i = 1; i < sorted.size(); i++) {
      FileRange before = sorted.get(i - 1);
      if (before.getOffset() + before.getLength() > sorted.get(i).getOffset()) {
        throw new IllegalArgumentException(
            "ranges %s and %s overlap".formatted(before, sorted.get(i)));
      }
    }
    return sorted;
  }
}
