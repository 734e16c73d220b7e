/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.stream;

import io.penstock.core.read.RangeMerger.Merged;
import io.penstock.core.store.ByteRange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.FileRange;

/**
 * Fills the wanted ranges of a vectored read from the pieces that arrive, in any order. Safe for
 * many threads, each with another piece.
 */
public final class RangeFiller {
  private final IntFunction<ByteBuffer> allocate;
  private final List<Target> targets = new ArrayList<>();

  /** A wanted range, which one piece or several pieces contain. */
  private static final class Target {
    private final ByteRange range;
    private final FileRange wanted;
    private ByteBuffer buffer;
    private long missingBytes;
    private boolean hasFailed;

    /** Several pieces are copied at once; a range fails while none is. */
    private final Lock copying;

    private final Lock failing;

    Target(ByteRange range, FileRange wanted) {
      this.range = range;
      this.wanted = wanted;
      this.missingBytes = range.lengthBytes();
      ReadWriteLock lock = new ReentrantReadWriteLock();
      this.copying = lock.readLock();
      this.failing = lock.writeLock();
    }

    boolean overlaps(ByteRange piece) {
      return range.start() < piece.end() && piece.start() < range.end();
    }

    synchronized void allocate(IntFunction<ByteBuffer> allocate) {
      if (buffer != null) {
        return;
      }
      ByteBuffer made = allocate.apply((int) range.lengthBytes());
      if (made.remaining() < range.lengthBytes()) {
        throw new IllegalArgumentException(
            "the allocator gave a buffer of %d bytes for %s".formatted(made.remaining(), range));
      }
      buffer = made;
    }

    /** Copies what the bytes at a position have of the range, unless the range has failed. */
    void copy(long position, byte[] bytes, int offset, int length) {
      long from = Math.max(range.start(), position);
      int count = (int) (Math.min(range.end(), position + length) - from);
      if (count <= 0) {
        return;
      }
      copying.lock();
      try {
        if (!hasFailed) {
          ByteBuffer own = duplicate();
          own.position(own.position() + (int) (from - range.start()));
          own.put(bytes, offset + (int) (from - position), count);
        }
      } finally {
        copying.unlock();
      }
    }

    private synchronized ByteBuffer duplicate() {
      return buffer.duplicate();
    }

    /** Fails the range. After that, nothing is written into its buffer. */
    void fail(Throwable failure) {
      failing.lock();
      try {
        hasFailed = true;
      } finally {
        failing.unlock();
      }
      wanted.getData().completeExceptionally(failure);
    }

    /** Notes that the piece has been copied. Returns true if the range is complete with it. */
    synchronized boolean arrived(ByteRange piece) {
      missingBytes -= Math.min(range.end(), piece.end()) - Math.max(range.start(), piece.start());
      return missingBytes == 0;
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

  /** Makes the buffers for the piece, so that {@link #copy} cannot fail. */
  void allocate(ByteRange piece) {
    for (Target target : targets) {
      if (target.overlaps(piece)) {
        target.allocate(allocate);
      }
    }
  }

  /** Copies bytes of an allocated piece; the same bytes may be copied again. */
  void copy(long position, byte[] bytes, int offset, int length) {
    targets.forEach(target -> target.copy(position, bytes, offset, length));
  }

  /**
   * Notes that the whole piece has been copied.
   *
   * @return completes the ranges that have all their bytes now
   */
  Runnable arrived(ByteRange piece) {
    List<Target> full = new ArrayList<>();
    for (Target target : targets) {
      if (target.overlaps(piece) && target.arrived(piece)) {
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
        target.fail(failure);
      }
    }
  }

  /** Fails all ranges that are not complete. */
  void fail(Throwable failure) {
    targets.forEach(target -> target.fail(failure));
  }

  /** Returns true if all ranges are complete or have failed. */
  boolean isDone() {
    return targets.stream().allMatch(target -> target.wanted.getData().isDone());
  }
}
