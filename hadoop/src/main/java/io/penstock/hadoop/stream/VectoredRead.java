/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.stream;

import io.penstock.core.caller.Caller;
import io.penstock.core.caller.Cancellation;
import io.penstock.core.read.FetchQueue.Fetch;
import io.penstock.core.read.ObjectReader;
import io.penstock.core.read.RangeMerger.Merged;
import io.penstock.core.read.RangeSplitter;
import io.penstock.core.read.RangesAhead;
import io.penstock.core.read.Reads;
import io.penstock.core.store.ByteRange;
import io.penstock.hadoop.tree.Failures;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
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
public final class VectoredRead {
  private final String path;
  private final ObjectReader reader;
  private final Reads reads;
  private final Executor pool;
  private final Optional<RangesAhead> ahead;
  private final List<RangeFiller> fillers = new ArrayList<>();
  private final Cancellation closing = new Cancellation("the stream was closed");

  /**
   * @param ahead requests the next ranges before they are asked for; empty if they are not known
   */
  public VectoredRead(
      String path, ObjectReader reader, Reads reads, Executor pool, Optional<RangesAhead> ahead) {
    this.path = path;
    this.reader = reader;
    this.reads = reads;
    this.pool = pool;
    this.ahead = ahead;
  }

  /**
   * Begins to read the ranges, and sets their futures.
   *
   * @param countRead receives the length of each range, on the calling thread
   */
  void start(
      List<? extends FileRange> ranges, IntFunction<ByteBuffer> allocate, IntConsumer countRead)
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
    List<ByteRange> order = List.copyOf(wanted.keySet());
    List<ByteRange> next = ahead.map(known -> known.after(order)).orElse(List.of());
    List<Merged> all = ahead.map(known -> known.merged(order)).orElseGet(() -> reads.merged(order));
    long pieceBytes = reads.pieceBytes(all.stream().mapToLong(m -> m.range().lengthBytes()).sum());
    for (Merged merged : all) {
      RangeFiller filler = new RangeFiller(merged, wanted, allocate);
      synchronized (fillers) {
        fillers.removeIf(RangeFiller::isDone);
        fillers.add(filler);
      }
      ByteRange range = merged.range();
      long from = ahead.map(known -> takeAhead(known, range, filler)).orElse(range.start());
      if (from < range.end()) {
        RangeSplitter.split(new ByteRange(from, range.end()), pieceBytes)
            .forEach(piece -> submit(piece, filler));
      }
    }
    ahead.ifPresent(RangesAhead::drop);
    if (!next.isEmpty()) {
      requestAfter(sorted, next);
    }
  }

  /** Takes what of the range was requested before; returns the position where that ends. */
  private long takeAhead(RangesAhead known, ByteRange range, RangeFiller filler) {
    return known.take(
        range, (piece, bytes) -> fill(piece, bytes, filler), piece -> submit(piece, filler));
  }

  private static void fill(ByteRange piece, byte[] bytes, RangeFiller filler) {
    try {
      filler.allocate(piece);
      filler.copy(piece.start(), bytes, 0, bytes.length);
      filler.arrived(piece).run();
    } catch (RuntimeException | Error e) { // such as an OutOfMemoryError
      filler.fail(piece, e);
    }
  }

  /** Requests the next ranges as soon as the present ones are there, which are needed first. */
  private void requestAfter(List<? extends FileRange> present, List<ByteRange> next) {
    Caller caller = Caller.current();
    CompletableFuture<?>[] data =
        present.stream().map(FileRange::getData).toArray(CompletableFuture[]::new);
    var unused =
        CompletableFuture.allOf(data)
            .thenRun(() -> caller.runTask(() -> ahead.ifPresent(known -> known.request(next))));
  }

  /** Drops what was requested and is not wanted yet; ranges that were asked for still arrive. */
  void pause() {
    ahead.ifPresent(RangesAhead::pause);
  }

  /**
   * Ends all reads: ranges that are not complete fail, and their buffers are not written any more;
   * requests that have not begun are not made, and failed requests are not repeated.
   */
  void close() {
    closing.cancel();
    ahead.ifPresent(RangesAhead::close);
    List<RangeFiller> open;
    synchronized (fillers) {
      open = List.copyOf(fillers);
      fillers.clear();
    }
    open.forEach(filler -> filler.fail(new InterruptedIOException("the stream was closed")));
  }

  private void submit(ByteRange piece, RangeFiller filler) {
    // Keeps the caller's retry budget, because the thread that starts the read may belong to
    // another task.
    Caller caller = Caller.current();
    reads
        .budget()
        .fetches()
        .submit(
            new Fetch(
                reader.bucket(),
                piece.lengthBytes(),
                reads.config().memoryMaxBytes(),
                pool,
                release -> caller.runTask(() -> read(piece, filler, release)),
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
      filler.allocate(piece);
      closing.run(
          () -> {
            reader.readInto(piece, filler::copy);
            return null;
          });
      Runnable complete = filler.arrived(piece);
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
            "%s is not inside %s, which has %d bytes".formatted(range, path, reader.sizeBytes()));
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
