/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The bytes that uploads hold while they wait for the pool or are under way. Whoever wants more
 * than is left waits, first come, first served. Taken by the writers' own threads only: a thread of
 * the pool that waited here could be the one that was to give back.
 */
final class BufferBudget {
  /** What a process may hold is one number, however many buckets it writes to. */
  static final BufferBudget MEMORY = new BufferBudget("upload.buffer.memory.max");

  static final BufferBudget DISK = new BufferBudget("upload.buffer.disk.max");

  private final String setting;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<Object> waiting = new ArrayDeque<>();
  private long usedBytes;

  BufferBudget(String setting) {
    this.setting = setting;
  }

  /** Whether more may be taken. What is larger than all there is may be, alone. */
  static boolean fits(long bytes, long usedBytes, long maxBytes) {
    return usedBytes == 0 || bytes <= maxBytes - usedBytes;
  }

  /**
   * Takes bytes, and waits for them if need be.
   *
   * @param maxBytes as the bucket's settings have it
   * @param longest wait
   * @param object for the message
   */
  void take(long bytes, long maxBytes, Duration longest, String object) throws IOException {
    if (bytes == 0) {
      return;
    }
    Object me = new Object();
    lock.lock();
    waiting.addLast(me);
    try {
      long leftNanos = longest.toNanos();
      while (waiting.peekFirst() != me || !fits(bytes, usedBytes, maxBytes)) {
        if (leftNanos <= 0) {
          throw waitedInVain(bytes, maxBytes, longest, object);
        }
        leftNanos = changed.awaitNanos(leftNanos);
      }
      usedBytes += bytes;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException failure =
          new InterruptedIOException("interrupted while waiting for room to buffer " + object);
      failure.initCause(e);
      throw failure;
    } finally {
      waiting.remove(me);
      changed.signalAll();
      lock.unlock();
    }
  }

  void giveBack(long bytes) {
    lock.lock();
    try {
      usedBytes -= bytes;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  long usedBytes() {
    lock.lock();
    try {
      return usedBytes;
    } finally {
      lock.unlock();
    }
  }

  /** How many wait now, for tests. */
  int waiting() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  private IOException waitedInVain(long bytes, long maxBytes, Duration longest, String object) {
    return new IOException(
        ("%s waited %d s for room to buffer %,d bytes: uploads of this process that wait or are"
                + " under way hold %,d, and penstock.%s is %,d. The store takes parts too slowly;"
                + " write with fewer tasks at once, or raise penstock.%s or"
                + " penstock.upload.buffer.wait.max.")
            .formatted(
                object,
                TimeUnit.NANOSECONDS.toSeconds(longest.toNanos()),
                bytes,
                usedBytes,
                setting,
                maxBytes,
                setting));
  }
}
