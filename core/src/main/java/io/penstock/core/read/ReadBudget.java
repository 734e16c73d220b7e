/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import java.lang.ref.Cleaner;

/**
 * Counts the bytes that the reads of a process hold: the buffers of streams, their read-ahead, and
 * the merged ranges of vectored reads that are under way. No call waits. A stream may get fewer
 * bytes than it wants, but always enough to continue. A vectored read waits in {@link FetchQueue}.
 *
 * <p>A stream may grow as long as it holds no more bytes than are free afterwards. The vectored
 * reads of a bucket may hold three times the bytes that are free afterwards. So the first few
 * readers cannot take the whole budget, and the free bytes are shared evenly among many readers
 * without counting them (Choudhury and Hahne, Dynamic queue length thresholds for shared-memory
 * packet switches, 1998).
 *
 * <p>Safe for use by many threads.
 */
public final class ReadBudget {
  private static final int VECTORED_TIMES_FREE = 3;

  private final Cleaner cleaner = Cleaner.create();
  private final FetchQueue fetches = new FetchQueue(this);
  private long streamBytes;
  private long vectoredBytes;
  private long peakBytes;

  /** Returns the queue of the vectored reads that wait for room. */
  public FetchQueue fetches() {
    return fetches;
  }

  /**
   * Returns the cleaner that frees the bytes of owners that are no longer reachable: some streams
   * are never closed.
   */
  Cleaner cleaner() {
    return cleaner;
  }

  /**
   * The sizes that a stream can use, in bytes.
   *
   * @param wanted the best size
   * @param useful a smaller size is of little use if there is room at all
   * @param least is granted even if the budget is full, so that every stream can continue
   */
  record Ask(long wanted, long useful, long least) {}

  /**
   * Takes the bytes by which a stream may grow. Takes none and returns 0 if these are fewer than
   * the useful size.
   */
  synchronized long grow(Ask ask, long heldBytes, long maxBytes) {
    long room = freeBytes(maxBytes) - heldBytes;
    // After growing by g the stream holds held + g, and free - g are free.
    long bytes = Math.min(ask.wanted, room / 2);
    return bytes >= Math.min(ask.wanted, ask.useful) ? book(bytes) : 0;
  }

  /**
   * Takes the bytes of a range that nobody needs yet. Returns false if there is no room for all of
   * them, without the last quarter, which is for vectored reads that are needed now.
   */
  synchronized boolean takeAhead(long bytes, long heldBytes, long maxBytes) {
    boolean isFree = 2 * bytes <= freeBytes(maxBytes) - heldBytes;
    if (isFree && streamBytes + bytes <= maxBytes - maxBytes / 4) {
      book(bytes);
      return true;
    }
    return false;
  }

  /** Takes the bytes that a stream needs to continue, and more if there is room. */
  synchronized long take(Ask ask, long heldBytes, long maxBytes) {
    long grown = grow(ask, heldBytes, maxBytes);
    if (grown > 0) {
      return grown;
    }
    long useful = Math.min(ask.wanted, ask.useful);
    // The last quarter is for vectored reads. Otherwise streams that make no progress could block
    // them.
    boolean isThere =
        useful <= freeBytes(maxBytes) && streamBytes + useful <= maxBytes - maxBytes / 4;
    return book(isThere ? useful : Math.min(ask.wanted, ask.least));
  }

  private long book(long bytes) {
    streamBytes += bytes;
    notePeak();
    return bytes;
  }

  synchronized void giveBack(long bytes) {
    streamBytes -= bytes;
  }

  /**
   * Takes the bytes of a vectored read if there is room, or if no vectored read of the bucket is
   * under way. So a range larger than the budget can be read while its bucket holds nothing else,
   * and no bucket waits for another one without end.
   */
  synchronized boolean takeVectored(long bytes, long heldByBucketBytes, long maxBytes) {
    long free = freeBytes(maxBytes) - bytes;
    boolean granted =
        heldByBucketBytes == 0 || heldByBucketBytes + bytes <= VECTORED_TIMES_FREE * free;
    if (granted) {
      vectoredBytes += bytes;
      notePeak();
    }
    return granted;
  }

  synchronized void giveBackVectored(long bytes) {
    vectoredBytes -= bytes;
  }

  private long freeBytes(long maxBytes) {
    return maxBytes - streamBytes - vectoredBytes;
  }

  private void notePeak() {
    peakBytes = Math.max(peakBytes, streamBytes + vectoredBytes);
  }

  /** Returns the number of bytes held now. */
  public synchronized long usedBytes() {
    return streamBytes + vectoredBytes;
  }

  /** Returns the largest number of bytes that was held at any moment. */
  public synchronized long peakBytes() {
    return peakBytes;
  }
}
