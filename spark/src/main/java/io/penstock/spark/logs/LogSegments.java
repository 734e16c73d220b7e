/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.logs;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The log of a process, as a row of files. Each is written as a whole, and again while it grows;
 * from 2 MiB on, the next one begins. So a file that could not be written is written the next time,
 * and a process that is killed leaves nothing to clean up. Adding never waits for the store: above
 * 4 MiB that are not written, lines are left out and counted. Safe for many threads.
 */
final class LogSegments {
  static final int FULL = 2 << 20;
  private static final int HELD_MAX = 2 * FULL;

  private final Files files;
  private final ByteArrayOutputStream held = new ByteArrayOutputStream();
  private int number = 1;
  private int writtenBytes;
  private long leftOut;

  /** Keeps the files. */
  @FunctionalInterface
  interface Files {
    /**
     * Writes a file, or replaces it.
     *
     * @param number from 1 on
     */
    void write(int number, byte[] content) throws IOException;
  }

  LogSegments(Files files) {
    this.files = files;
  }

  /** Adds a line, or a piece of one. */
  synchronized void add(byte[] bytes, int offset, int length) {
    if (held.size() + (long) length > HELD_MAX) {
      leftOut++;
      return;
    }
    if (leftOut > 0) {
      String gap = "(%d lines are missing here: the log grew faster than it was written)%n";
      held.writeBytes(gap.formatted(leftOut).getBytes(StandardCharsets.UTF_8));
      leftOut = 0;
    }
    try {
      held.write(bytes, offset, length);
    } catch (OutOfMemoryError e) { // It would fail the task that logs.
      leftOut++;
    }
  }

  /** Returns true if the present file will not grow any more. */
  synchronized boolean isFull() {
    return held.size() >= FULL;
  }

  /**
   * Writes what was added so far. Not to be called by two threads at once.
   *
   * @throws IOException when something was not written; the next call tries again
   */
  void write() throws IOException {
    while (writeFile()) {}
  }

  /** Writes the present file if it has grown. Returns true if there is another one. */
  private boolean writeFile() throws IOException {
    byte[] content;
    boolean isLast;
    synchronized (this) {
      if (held.size() == writtenBytes) {
        return false;
      }
      content = held.toByteArray();
      isLast = content.length < FULL;
      if (!isLast) {
        content = Arrays.copyOf(content, endOfLine(content));
      }
    }
    files.write(number, content);
    synchronized (this) {
      writtenBytes = content.length;
      if (!isLast) {
        byte[] all = held.toByteArray();
        held.reset();
        held.write(all, content.length, all.length - content.length);
        writtenBytes = 0;
        number++;
      }
    }
    return !isLast;
  }

  /** Returns where the last line ends that ends within the limit, or the limit. */
  private static int endOfLine(byte[] bytes) {
    int end = FULL;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    return end == 0 ? FULL : end;
  }
}
