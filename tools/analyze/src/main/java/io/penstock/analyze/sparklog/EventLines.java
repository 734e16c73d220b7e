/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Reads the lines of an event log. A line longer than the limit is skipped, whatever its size. */
final class EventLines {
  /**
   * The longest line that is read. Plans with many thousand columns have the longest lines. Spark's
   * own reader needs several times this much memory for such a line.
   */
  static final int MAX_LINE = 64 << 20;

  private static final int BLOCK = 1 << 16;

  private final InputStream in;
  private final int maxLine;
  private byte[] buffer = new byte[BLOCK];
  private int next;
  private int limit;
  private long base;
  private long dropped;
  private boolean isAtEnd;
  private int start;
  private int end;
  private boolean isTooLong;
  private boolean isEnded;

  EventLines(InputStream in, int maxLine) {
    this.in = in;
    this.maxLine = maxLine;
  }

  /** Moves to the next line that is not empty; returns false at the end. */
  boolean next() throws IOException {
    while (true) {
      base += dropped;
      dropped = 0;
      start = next;
      isTooLong = false;
      isEnded = toLineEnd();
      if (end > start || isTooLong) {
        return true;
      }
      if (!isEnded) {
        return false;
      }
    }
  }

  /** Returns true if the end of the line was found, and sets the start and end of the line. */
  private boolean toLineEnd() throws IOException {
    int at = next;
    while (true) {
      while (at < limit && buffer[at] != '\n') {
        at++;
      }
      if (at < limit) {
        end = at > start && buffer[at - 1] == '\r' ? at - 1 : at;
        next = at + 1;
        return true;
      }
      if (at - start >= maxLine) {
        isTooLong = true;
        // The first bytes of the line are kept, so that they can be shown.
        int kept = start + Math.min(BLOCK / 2, maxLine);
        dropped += limit - kept;
        limit = kept;
        at = kept;
      }
      int before = start;
      if (!more()) {
        end = limit;
        next = limit;
        return false;
      }
      at -= before - start;
    }
  }

  private boolean more() throws IOException {
    if (start > 0) {
      System.arraycopy(buffer, start, buffer, 0, limit - start);
      base += start;
      limit -= start;
      start = 0;
    }
    if (limit == buffer.length) {
      buffer = Arrays.copyOf(buffer, (int) Math.min(buffer.length * 2L, maxLine + (long) BLOCK));
    }
    int count = isAtEnd ? -1 : in.read(buffer, limit, buffer.length - limit);
    if (count < 0) {
      isAtEnd = true;
      return false;
    }
    limit += count;
    return true;
  }

  byte[] text() {
    return buffer;
  }

  int start() {
    return start;
  }

  int end() {
    return end;
  }

  /** Returns the position of the line in the file. */
  long position() {
    return base + start;
  }

  boolean isTooLong() {
    return isTooLong;
  }

  /** Returns true if the line ends with a line break; in a truncated log the last one does not. */
  boolean isEnded() {
    return isEnded;
  }
}
