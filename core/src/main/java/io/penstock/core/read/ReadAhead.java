/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import io.penstock.core.caller.Cancellation;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ObjectSlice;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A range that is fetched before it is asked for. It holds its piece of the budget until the reader
 * takes the bytes over or the request fails. If the request of a dropped range has begun, the range
 * holds the piece until the attempt has ended, because its bytes still arrive until then; the
 * attempt is not repeated.
 */
final class ReadAhead {
  private final ByteRange range;
  private final ReadHold.Piece piece;
  private final CompletableFuture<ObjectSlice> answer;
  private final Parallel.Work<ObjectSlice> fetch;

  /** Set by the thread that makes the request. */
  private final AtomicBoolean begun = new AtomicBoolean();

  private final Cancellation cancellation =
      new Cancellation("the reader no longer needs the range");
  private volatile boolean dropped;

  ReadAhead(
      Executor pool, ByteRange range, ReadHold.Piece piece, Parallel.Work<ObjectSlice> fetch) {
    this.range = range;
    this.piece = piece;
    this.fetch = fetch;
    this.answer =
        Parallel.start(
            pool,
            () -> {
              if (!begun.compareAndSet(false, true)) {
                return null; // The reader makes the request itself.
              }
              return cancellation.run(fetch::run);
            });
    var unused =
        answer.whenComplete(
            (slice, failure) -> {
              boolean isOver = slice != null || failure != null;
              if (isOver && (failure != null || dropped)) {
                piece.giveBack();
              }
            });
  }

  boolean contains(long position) {
    return position >= range.start() && position < range.end();
  }

  ByteRange range() {
    return range;
  }

  /** Returns true if {@link #await} does not wait. */
  boolean isThere() {
    return answer.isDone();
  }

  /**
   * Returns the piece of the budget for these bytes. After {@link #await}, it belongs to the
   * caller.
   */
  ReadHold.Piece piece() {
    return piece;
  }

  /**
   * Returns the bytes like {@link #await}. If no thread of the pool has begun their request yet,
   * the caller makes it, so a full pool delays no reader.
   */
  ObjectSlice awaitOrFetch() throws IOException {
    if (!begun.compareAndSet(false, true)) {
      return await();
    }
    try {
      return fetch.run();
    } catch (IOException | RuntimeException | Error e) {
      piece.giveBack();
      throw e;
    }
  }

  /** Waits for the bytes. If their request failed, throws its failure. */
  ObjectSlice await() throws IOException {
    try {
      return Cancellation.await(answer);
    } catch (InterruptedIOException e) {
      drop(); // The work was cancelled: no reader will take the bytes.
      throw e;
    } catch (InterruptedException e) {
      drop();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while reading");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    }
  }

  /**
   * Gives the bytes to the caller when they have arrived, on any thread, and then gives back their
   * piece of the budget. Does not wait.
   *
   * @param missing runs if the request has failed, or if no thread of the pool has begun it; then
   *     it is not made
   */
  void handOver(Consumer<ObjectSlice> there, Runnable missing) {
    if (begun.compareAndSet(false, true)) {
      piece.giveBack();
      missing.run();
      return;
    }
    var unused =
        answer.whenComplete(
            (slice, failure) -> {
              if (slice == null) {
                missing.run();
                return;
              }
              try {
                there.accept(slice);
              } finally {
                piece.giveBack();
              }
            });
  }

  /** Marks the range as unwanted. If its request has not begun, it is not made. */
  void drop() {
    dropped = true;
    cancellation.cancel();
    boolean neverBegins = begun.compareAndSet(false, true);
    if (neverBegins || answer.isDone()) {
      piece.giveBack();
    }
  }
}
