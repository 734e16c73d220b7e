/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import io.penstock.tables.bytes.Scan;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Reads the lines of a text. Only the beginning is kept of a line that is longer than a limit. */
public final class TextLines implements Closeable {
  private final InputStream in;
  private final int maxLine;
  private final byte[] chunk = new byte[64 << 10];
  private int at;
  private int filled;
  private byte[] line = new byte[4 << 10];
  private int length;
  private long position;
  private long next;
  private boolean isTooLong;
  private boolean isEnded;

  /**
   * @param maxLine the most bytes kept of a line
   */
  public TextLines(InputStream in, int maxLine) {
    this.in = in;
    this.maxLine = maxLine;
  }

  /** Moves to the next line; returns false when there is none. */
  public boolean next() throws IOException {
    length = 0;
    position = next;
    isTooLong = false;
    isEnded = false;
    while (at < filled || fill()) {
      int end = Scan.find(chunk, at, filled, '\n');
      keep(at, end);
      isEnded = end < filled;
      next += end - at + (isEnded ? 1 : 0);
      at = isEnded ? end + 1 : end;
      if (isEnded) {
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
    int count = Math.min(end - start, maxLine - length);
    isTooLong |= count < end - start;
    if (length + count > line.length) {
      line = Arrays.copyOf(line, Math.max(length + count, Math.min(maxLine, line.length * 2)));
    }
    System.arraycopy(chunk, start, line, length, count);
    length += count;
  }

  /** Returns a buffer that begins with the line. The buffer is reused for the next line. */
  public byte[] line() {
    return line;
  }

  /** Returns the length of what was kept of the line in bytes, without the line break. */
  public int length() {
    return length > 0 && line[length - 1] == '\r' ? length - 1 : length;
  }

  /** Returns the position of the line, in bytes of the text. */
  public long position() {
    return position;
  }

  public boolean isTooLong() {
    return isTooLong;
  }

  /** Returns true if the line ends with a line break; in a truncated log the last one does not. */
  public boolean isEnded() {
    return isEnded;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
