/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import io.penstock.core.attempt.Cancellation;
import io.penstock.core.pool.Parallel;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ObjectSlice;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;

/**
 * A range that is fetched before it is asked for. It holds its piece of the budget until it is
 * taken over, has failed, or, if it is dropped, has ended: until then its bytes still come in.
 */
final class ReadAhead {
  private final ByteRange range;
  private final ReadHold.Piece piece;
  private final CompletableFuture<ObjectSlice> answer;
  private volatile boolean dropped;

  ReadAhead(
      Executor pool, ByteRange range, ReadHold.Piece piece, Parallel.Work<ObjectSlice> fetch) {
    this.range = range;
    this.piece = piece;
    this.answer =
        Parallel.start(
            pool,
            () -> {
              if (dropped) {
                throw new IOException("nobody waits for " + range + " any more");
              }
              return fetch.run();
            });
    var unused =
        answer.whenComplete(
            (slice, failure) -> {
              if (failure != null || dropped) {
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

  /** Returns what the bytes hold of the budget; it is the caller's once they are there. */
  ReadHold.Piece piece() {
    return piece;
  }

  /** Waits for the bytes, and fails as their request failed. */
  ObjectSlice await() throws IOException {
    try {
      return Cancellation.await(answer);
    } catch (InterruptedIOException e) {
      drop(); // The work was called off: nobody will take the bytes.
      throw e;
    } catch (InterruptedException e) {
      drop();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while reading");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    }
  }

  /** Tells that nobody will take the bytes. A request that has not begun is not made. */
  void drop() {
    dropped = true;
    if (answer.isDone()) {
      piece.giveBack();
    }
  }
}
