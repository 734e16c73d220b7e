/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.read.RangeMerger.Merged;
import io.penstock.core.store.ByteRange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.FileRange;

/**
 * Fills the wanted ranges of a vectored read from the pieces that arrive, in any order. Safe for
 * many threads, each with another piece.
 */
final class RangeFiller {
  private final IntFunction<ByteBuffer> allocate;
  private final List<Target> targets = new ArrayList<>();

  /** A wanted range, which one piece or several pieces contain. */
  private static final class Target {
    private final ByteRange range;
    private final FileRange wanted;
    private ByteBuffer buffer;
    private long missingBytes;

    Target(ByteRange range, FileRange wanted) {
      this.range = range;
      this.wanted = wanted;
      this.missingBytes = range.lengthBytes();
    }

    boolean overlaps(ByteRange piece) {
      return range.start() < piece.end() && piece.start() < range.end();
    }

    /** Copies what the piece has of the range. Returns true if the range is complete with it. */
    boolean fill(ByteRange piece, byte[] bytes, IntFunction<ByteBuffer> allocate) {
      long from = Math.max(range.start(), piece.start());
      int length = (int) (Math.min(range.end(), piece.end()) - from);
      ByteBuffer own;
      synchronized (this) {
        if (buffer == null) {
          buffer = allocate.apply((int) range.lengthBytes());
        }
        own = buffer.duplicate();
      }
      own.position(own.position() + (int) (from - range.start()));
      own.put(bytes, (int) (from - piece.start()), length);
      synchronized (this) {
        missingBytes -= length;
        return missingBytes == 0;
      }
    }

    void complete() {
      buffer.limit(buffer.position() + (int) range.lengthBytes());
      wanted.getData().complete(buffer);
    }
  }

  /**
   * @param wanted the caller's ranges by their positions
   * @param allocate makes the buffer of a range
   */
  RangeFiller(Merged merged, Map<ByteRange, FileRange> wanted, IntFunction<ByteBuffer> allocate) {
    this.allocate = allocate;
    merged.wanted().forEach(range -> targets.add(new Target(range, wanted.get(range))));
  }

  /**
   * Copies a piece.
   *
   * @return completes the ranges that have all their bytes now
   */
  Runnable fill(ByteRange piece, byte[] bytes) {
    List<Target> full = new ArrayList<>();
    for (Target target : targets) {
      if (target.overlaps(piece) && target.fill(piece, bytes, allocate)) {
        full.add(target);
      }
    }
    return () -> full.forEach(Target::complete);
  }

  /** Returns true if a range that needs the piece has not failed yet. */
  boolean needs(ByteRange piece) {
    return targets.stream()
        .anyMatch(target -> target.overlaps(piece) && !target.wanted.getData().isDone());
  }

  /** Fails the ranges that need the piece. */
  void fail(ByteRange piece, Throwable failure) {
    for (Target target : targets) {
      if (target.overlaps(piece)) {
        target.wanted.getData().completeExceptionally(failure);
      }
    }
  }
}
