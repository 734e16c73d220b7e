/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Reads the lines of a text. Only the beginning is kept of a line that is longer than any client
 * writes.
 */
final class LogLines implements Closeable {
  /** The most bytes kept of a line: more than all headers that a client may send. */
  static final int MAX_LINE = 256 << 10;

  private final InputStream in;
  private final byte[] chunk = new byte[64 << 10];
  private int at;
  private int filled;
  private byte[] line = new byte[4 << 10];
  private int length;
  private long position;
  private long next;

  LogLines(InputStream in) {
    this.in = in;
  }

  /** Moves to the next line; returns false when there is none. */
  boolean next() throws IOException {
    length = 0;
    position = next;
    while (at < filled || fill()) {
      int end = at;
      while (end < filled && chunk[end] != '\n') {
        end++;
      }
      keep(at, end);
      boolean isWhole = end < filled;
      next += end - at + (isWhole ? 1 : 0);
      at = isWhole ? end + 1 : end;
      if (isWhole) {
        return true;
      }
    }
    return next > position;
  }

  private boolean fill() throws IOException {
    at = 0;
    filled = Math.max(0, in.read(chunk));
    return filled > 0;
  }

  private void keep(int start, int end) {
    int count = Math.min(end - start, MAX_LINE - length);
    if (length + count > line.length) {
      line = Arrays.copyOf(line, Math.max(length + count, Math.min(MAX_LINE, line.length * 2)));
    }
    System.arraycopy(chunk, start, line, length, count);
    length += count;
  }

  /** Returns a buffer that begins with the line. The buffer is reused for the next line. */
  byte[] line() {
    return line;
  }

  /** Returns the length of the line in bytes, without the line break. */
  int length() {
    return length > 0 && line[length - 1] == '\r' ? length - 1 : length;
  }

  /** Returns the position of the line, in bytes of the text. */
  long position() {
    return position;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
