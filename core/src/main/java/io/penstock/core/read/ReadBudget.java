/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import java.lang.ref.Cleaner;

/**
 * The bytes that the reads of a process hold: the buffers of streams, their read-ahead, and the
 * merged ranges of vectored reads that are under way. Nobody waits here. A stream is granted less
 * than it would like, and always enough to go on; a vectored read queues in {@link FetchQueue}.
 *
 * <p>A stream may grow as long as it holds no more than what is free after it, and a bucket's
 * vectored reads three times that. So a few that came first cannot hold it all, and what is free is
 * shared evenly among many, without counting them (Choudhury and Hahne, Dynamic queue length
 * thresholds for shared-memory packet switches, 1998).
 */
public final class ReadBudget {
  private static final int VECTORED_TIMES_FREE = 3;

  private final Cleaner cleaner = Cleaner.create();
  private final FetchQueue fetches = new FetchQueue(this);
  private long streamBytes;
  private long vectoredBytes;
  private long peakBytes;

  /** The vectored reads that wait for room. */
  public FetchQueue fetches() {
    return fetches;
  }

  /** Frees what an owner holds once nobody can reach it, for streams that are never closed. */
  Cleaner cleaner() {
    return cleaner;
  }

  /**
   * Sizes that a stream can use, in bytes.
   *
   * @param wanted at best
   * @param useful less is of little use when there is room at all
   * @param least is granted whatever others hold, so that every stream goes on
   */
  record Ask(long wanted, long useful, long least) {}

  /** Takes as much as a stream may grow by; 0 when that is less than what is useful. */
  synchronized long grow(Ask ask, long heldBytes, long maxBytes) {
    long room = freeBytes(maxBytes) - heldBytes;
    // After growing by g the stream holds held + g, and free - g are free.
    long bytes = Math.min(ask.wanted, room / 2);
    return bytes >= Math.min(ask.wanted, ask.useful) ? book(bytes) : 0;
  }

  /** Takes what a stream needs to go on, and more as far as there is room. */
  synchronized long take(Ask ask, long heldBytes, long maxBytes) {
    long grown = grow(ask, heldBytes, maxBytes);
    if (grown > 0) {
      return grown;
    }
    long useful = Math.min(ask.wanted, ask.useful);
    // The last quarter is for vectored reads, which streams that stand still could lock out.
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
   * Takes the bytes of a vectored read if there is room, or if the bucket has nothing under way: a
   * range larger than the budget is admitted alone, and no bucket waits for another for ever.
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

  /** Returns what is held now. */
  public synchronized long usedBytes() {
    return streamBytes + vectoredBytes;
  }

  /** Returns the most that was ever held at once. */
  public synchronized long peakBytes() {
    return peakBytes;
  }
}
