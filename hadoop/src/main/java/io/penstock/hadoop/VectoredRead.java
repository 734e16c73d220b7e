/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.read.FetchQueue.Fetch;
import io.penstock.core.read.ObjectReader;
import io.penstock.core.read.RangeMerger;
import io.penstock.core.read.RangeMerger.Merged;
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
 * Reads many ranges at once. One request reads ranges that are close together. As many requests run
 * at the same time as the read budget allows. This is a separate class because Hadoop 3.3.4 has no
 * {@link FileRange}.
 */
final class VectoredRead {
  private final String path;
  private final ObjectReader reader;
  private final Reads reads;
  private final Executor pool;
  private final IntConsumer countRead;

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
    RangeMerger merger = new RangeMerger(reads.config());
    for (Merged merged : merger.merge(new ArrayList<>(wanted.keySet()))) {
      submit(merged, wanted, allocate);
    }
  }

  private void submit(
      Merged merged, Map<ByteRange, FileRange> wanted, IntFunction<ByteBuffer> allocate) {
    // Keeps the caller's retry budget, because the thread that starts the read may belong to
    // another task.
    Optional<RetryBudget> account = RetryBudget.current();
    reads
        .budget()
        .fetches()
        .submit(
            new Fetch(
                reader.bucket(),
                merged.range().lengthBytes(),
                reads.config().memoryMaxBytes(),
                pool,
                release ->
                    RetryBudget.runOn(account, () -> read(merged, wanted, allocate, release)),
                failure -> fail(merged, wanted, failure)));
  }

  /**
   * Reads the merged range and copies the bytes out. Completes the ranges after the memory of the
   * merged bytes is released.
   */
  private void read(
      Merged merged,
      Map<ByteRange, FileRange> wanted,
      IntFunction<ByteBuffer> allocate,
      Runnable release) {
    try {
      List<ByteBuffer> buffers = fetch(merged, allocate);
      release.run();
      for (int i = 0; i < buffers.size(); i++) {
        wanted.get(merged.wanted().get(i)).getData().complete(buffers.get(i));
      }
    } catch (IOException | RuntimeException | Error e) {
      fail(merged, wanted, e instanceof IOException io ? Failures.translate(path, io) : e);
    }
  }

  private List<ByteBuffer> fetch(Merged merged, IntFunction<ByteBuffer> allocate)
      throws IOException {
    ByteRange whole = merged.range();
    byte[] bytes = reader.fetch(whole.start(), Math.toIntExact(whole.lengthBytes()));
    List<ByteBuffer> buffers = new ArrayList<>(merged.wanted().size());
    for (ByteRange range : merged.wanted()) {
      int length = (int) range.lengthBytes();
      ByteBuffer buffer = allocate.apply(length);
      buffer.put(bytes, (int) (range.start() - whole.start()), length).flip();
      buffers.add(buffer);
    }
    return buffers;
  }

  private static void fail(Merged merged, Map<ByteRange, FileRange> wanted, Throwable failure) {
    merged.wanted().forEach(r -> wanted.get(r).getData().completeExceptionally(failure));
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
