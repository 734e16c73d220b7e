/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.attempt.Cancellation;
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
 * The bytes that the uploads of a process hold. Whoever wants more than is left waits, first come,
 * first served, or is told to do without.
 *
 * <p>Nobody waits for ever. Bytes are held by two kinds of blocks. Those under way are given back
 * by the pool, whatever their writers do; those that are filled are given back only when their
 * writer goes on, and it may be the one that waits: a task writes a hundred files by one thread. So
 * a writer waits only while the bytes under way, once given back, make room for what it wants; when
 * they do not, it is refused at once. Meanwhile nothing is granted to those who came later, so what
 * is held can only become less. For the same reason only the writers' own threads wait here: a
 * thread of the pool that waited could be the one that was to give back.
 */
final class BufferBudget {
  private final String setting;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Wish> waiting = new ArrayDeque<>();
  private long filledBytes;
  private long underWayBytes;
  private long peakBytes;

  BufferBudget(String setting) {
    this.setting = setting;
  }

  /** Bytes that somebody wants; a class and no record, since two may want the same. */
  static final class Wish {
    private final long bytes;
    private final long maxBytes;
    private final Duration longestWait;
    private final String object;
    private boolean isToFill;
    private Answer answer = Answer.WAIT;
    private Condition answered;

    /**
     * @param maxBytes of all, as the bucket's settings have it
     * @param object for the message
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

  /** Takes bytes for a block that is filled, if they are there and nobody waits for them. */
  boolean tryToFill(long bytes, long maxBytes) {
    lock.lock();
    try {
      boolean granted = bytes == 0 || (waiting.isEmpty() && bytes <= maxBytes - usedBytes());
      addFilled(granted ? bytes : 0);
      return granted;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes bytes for a block that is filled, and waits for them as long as blocks under way will
   * make room.
   *
   * @return false when they will not: blocks that are filled hold too much
   */
  boolean waitToFill(Wish wish) throws IOException {
    wish.isToFill = true;
    return await(wish);
  }

  /** Takes bytes for a block under way, and waits for them. */
  void take(Wish wish) throws IOException {
    await(wish);
  }

  /** Takes bytes for a block under way, whether or not they are there. */
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

  /** Answers those who can be answered now, and wakes nobody else. */
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

  /** Returns whether more may be taken. A block larger than the budget is admitted only alone. */
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

  /** Notes that a block that was filled is sent. */
  void moveUnderWay(long bytes) {
    lock.lock();
    try {
      addFilled(-bytes);
      addUnderWay(bytes);
    } finally {
      lock.unlock();
    }
  }

  /** Gives back what a block held that was never sent. */
  void giveBackFilled(long bytes) {
    lock.lock();
    try {
      addFilled(-bytes);
      settle();
    } finally {
      lock.unlock();
    }
  }

  /** Gives back what a block under way held. */
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

  /** Returns the most that was ever held at once, for tests. */
  long peakBytes() {
    lock.lock();
    try {
      return peakBytes;
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many wait now, for tests. */
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
        ("%s waited %d s for room to buffer %,d bytes: uploads of this process hold %,d, and"
                + " penstock.%s is %,d. The store takes parts too slowly; write with fewer tasks"
                + " at once, or raise penstock.%s or penstock.upload.buffer.wait.max.")
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
