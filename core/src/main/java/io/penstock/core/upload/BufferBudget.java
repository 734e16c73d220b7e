/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.caller.Cancellation;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits the bytes that the uploads of a process hold. A request for more bytes than are free
 * either waits in first-come, first-served order or is refused.
 *
 * <p>No request waits for ever. Two kinds of blocks hold bytes. The pool gives back the bytes of
 * blocks under way, whatever their writers do. The bytes of blocks that are being filled come back
 * only when their writer continues, and that writer may be the waiting one: a task may write a
 * hundred files on one thread. So a writer waits only if giving back all bytes under way would make
 * enough room. Otherwise its request is refused at once. While a request waits, no later request is
 * granted, so the held bytes can only decrease. For the same reason only the writers' own threads
 * wait here: a waiting pool thread might be the one that must give bytes back.
 */
final class BufferBudget {
  private final String setting;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Wish> waiting = new ArrayDeque<>();
  private long filledBytes;
  private long underWayBytes;
  private long largeBytes; // of both kinds
  private long peakBytes;

  BufferBudget(String setting) {
    this.setting = setting;
  }

  /**
   * A request for bytes. It is a class and not a record, because two requests may have equal
   * values.
   */
  static final class Wish {
    private final long bytes;
    private final long maxBytes;
    private final Duration longestWait;
    private final String object;
    private boolean isToFill;
    private Answer answer = Answer.WAIT;
    private Condition answered;

    /**
     * @param maxBytes the limit for all bytes together, from the bucket's settings
     * @param object the object to be buffered, for messages
     */
    Wish(long bytes, long maxBytes, Duration longestWait, String object) {
      this.bytes = bytes;
      this.maxBytes = maxBytes;
      this.longestWait = longestWait;
      this.object = object;
    }
  }

  private enum Answer {
    GRANTED,
    WAIT,
    REFUSED
  }

  /** Takes bytes for a block that is being filled, if they are free and no request waits. */
  boolean tryToFill(long bytes, long maxBytes) {
    return tryToFillSmall(bytes, Long.MAX_VALUE, maxBytes);
  }

  /**
   * Takes bytes as {@link #tryToFill} does, if small blocks then hold no more than the limit.
   *
   * @param smallMaxBytes the limit for all bytes that are not of large blocks
   */
  boolean tryToFillSmall(long bytes, long smallMaxBytes, long maxBytes) {
    lock.lock();
    try {
      return isFree(bytes, usedBytes() - largeBytes, smallMaxBytes, maxBytes);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes bytes for a large block that is being filled, if large blocks then hold no more than the
   * limit. They are given back twice, first by {@link #giveBackLarge}.
   *
   * @param asSmallBytes bytes that the block took while it was small; they are large ones now
   * @param largeMaxBytes the limit for all bytes of large blocks
   */
  boolean tryToFillLarge(long bytes, long asSmallBytes, long largeMaxBytes, long maxBytes) {
    lock.lock();
    try {
      boolean granted = isFree(bytes, largeBytes + asSmallBytes, largeMaxBytes, maxBytes);
      largeBytes += granted ? bytes + asSmallBytes : 0;
      return granted;
    } finally {
      lock.unlock();
    }
  }

  private boolean isFree(long bytes, long ofKindBytes, long ofKindMaxBytes, long maxBytes) {
    boolean fits = bytes <= maxBytes - usedBytes() && bytes <= ofKindMaxBytes - ofKindBytes;
    boolean granted = bytes == 0 || (waiting.isEmpty() && fits);
    addFilled(granted ? bytes : 0);
    return granted;
  }

  /** Says that these bytes are no longer those of a large block. */
  void giveBackLarge(long bytes) {
    lock.lock();
    try {
      largeBytes -= bytes;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes bytes for a block that is being filled. Waits as long as blocks under way can make enough
   * room.
   *
   * @return false if they cannot, because blocks that are being filled hold too many bytes
   */
  boolean waitToFill(Wish wish) throws IOException {
    wish.isToFill = true;
    return await(wish);
  }

  /** Takes bytes for a block under way. Waits until they are free. */
  void take(Wish wish) throws IOException {
    await(wish);
  }

  /** Takes bytes for a block under way at once, even if they exceed the limit. */
  void add(long bytes) {
    lock.lock();
    try {
      addUnderWay(bytes);
    } finally {
      lock.unlock();
    }
  }

  private boolean await(Wish wish) throws IOException {
    if (wish.bytes == 0) {
      return true;
    }
    lock.lock();
    try {
      wish.answered = lock.newCondition();
      waiting.addLast(wish);
      settle();
      long leftNanos = wish.longestWait.toNanos();
      while (wish.answer == Answer.WAIT) {
        if (leftNanos <= 0) {
          throw waitedInVain(wish);
        }
        long stepNanos = Math.min(leftNanos, Cancellation.LOOK.toNanos());
        leftNanos -= stepNanos - wish.answered.awaitNanos(stepNanos);
        if (wish.answer == Answer.WAIT) {
          Cancellation.checkCurrent();
        }
      }
      return wish.answer == Answer.GRANTED;
    } catch (InterruptedException e) {
      if (wish.answer == Answer.GRANTED) {
        grant(wish, -wish.bytes);
        settle();
      }
      throw interrupted(wish, e);
    } finally {
      if (waiting.remove(wish)) {
        settle();
      }
      lock.unlock();
    }
  }

  /** Answers the requests that can be answered now, and wakes only their threads. */
  private void settle() {
    boolean isFirst = true;
    for (Iterator<Wish> all = waiting.iterator(); all.hasNext(); ) {
      Wish wish = all.next();
      Answer answer = wish.isToFill ? ofFilling(wish) : ofTaking(wish);
      if (answer == Answer.REFUSED || (answer == Answer.GRANTED && isFirst)) {
        all.remove();
        wish.answer = answer;
        grant(wish, answer == Answer.GRANTED ? wish.bytes : 0);
        wish.answered.signal();
      } else {
        isFirst = false;
      }
    }
  }

  private Answer ofFilling(Wish wish) {
    if (wish.bytes > wish.maxBytes - filledBytes) {
      return Answer.REFUSED;
    }
    return wish.bytes <= wish.maxBytes - usedBytes() ? Answer.GRANTED : Answer.WAIT;
  }

  private Answer ofTaking(Wish wish) {
    return fits(wish.bytes, usedBytes(), wish.maxBytes) ? Answer.GRANTED : Answer.WAIT;
  }

  /**
   * Returns true if the bytes fit beside the used ones. A block larger than the budget is admitted
   * only when nothing else is held.
   */
  static boolean fits(long bytes, long usedBytes, long maxBytes) {
    return usedBytes == 0 || bytes <= maxBytes - usedBytes;
  }

  private void grant(Wish wish, long bytes) {
    if (wish.isToFill) {
      addFilled(bytes);
    } else {
      addUnderWay(bytes);
    }
  }

  /** Moves the bytes of a block from filled to under way, because the block is sent now. */
  void moveUnderWay(long bytes) {
    lock.lock();
    try {
      addFilled(-bytes);
      addUnderWay(bytes);
    } finally {
      lock.unlock();
    }
  }

  /** Gives back the bytes of a block that was never sent. */
  void giveBackFilled(long bytes) {
    lock.lock();
    try {
      addFilled(-bytes);
      settle();
    } finally {
      lock.unlock();
    }
  }

  /** Gives back the bytes of a block under way. */
  void giveBack(long bytes) {
    lock.lock();
    try {
      addUnderWay(-bytes);
      settle();
    } finally {
      lock.unlock();
    }
  }

  private void addFilled(long bytes) {
    filledBytes += bytes;
    notePeak();
  }

  private void addUnderWay(long bytes) {
    underWayBytes += bytes;
    notePeak();
  }

  private void notePeak() {
    peakBytes = Math.max(peakBytes, usedBytes());
  }

  long usedBytes() {
    lock.lock();
    try {
      return filledBytes + underWayBytes;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the largest number of bytes ever held at once, for tests. */
  long peakBytes() {
    lock.lock();
    try {
      return peakBytes;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of waiting requests, for tests. */
  int waiting() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  private static InterruptedIOException interrupted(Wish wish, InterruptedException cause) {
    Thread.currentThread().interrupt();
    InterruptedIOException failure =
        new InterruptedIOException("interrupted while waiting for room to buffer " + wish.object);
    failure.initCause(cause);
    return failure;
  }

  private IOException waitedInVain(Wish wish) {
    return new IOException(
        ("%s waited %d s for room to buffer %,d bytes: the uploads of this process hold %,d bytes,"
             + " and penstock.%s is %,d. The store accepts parts too slowly. Write with fewer tasks"
             + " at once, or raise penstock.%s.")
            .formatted(
                wish.object,
                TimeUnit.NANOSECONDS.toSeconds(wish.longestWait.toNanos()),
                wish.bytes,
                usedBytes(),
                setting,
                wish.maxBytes,
                setting));
  }
}
