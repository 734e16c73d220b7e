/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * Compressed bytes in a buffer that decoders may read directly. It distinguishes a failure to read
 * the bytes from a failure of a decoder.
 */
final class Source extends InputStream {
  /** The size of a buffer, except for sources that are smaller. */
  static final int BUFFER_BYTES = 1 << 14;

  final byte[] buffer;

  /** The position of the next byte in the buffer, and the end of the available bytes. */
  int position;

  int limit;

  private final InputStream in;
  private long read;
  private IOException failure;

  Source(InputStream in, int bufferBytes) {
    this.in = in;
    this.buffer = new byte[bufferBytes];
  }

  /** Ensures that the buffer has at least one byte; returns false at the end. */
  boolean fill() throws IOException {
    while (position == limit) {
      position = 0;
      limit = 0;
      if (!more()) {
        return false;
      }
    }
    return true;
  }

  private boolean more() throws IOException {
    int count;
    try {
      count = in.read(buffer, limit, buffer.length - limit);
    } catch (IOException e) {
      failure = e;
      throw e;
    }
    if (count < 0) {
      return false;
    }
    limit += count;
    read += count;
    return true;
  }

  /** Returns the next bytes without consuming them; fewer when fewer are left. */
  byte[] peek(int count) throws IOException {
    if (position > 0) {
      System.arraycopy(buffer, position, buffer, 0, limit - position);
      limit -= position;
      position = 0;
    }
    boolean more = true;
    while (limit < count && more) {
      more = more();
    }
    return Arrays.copyOf(buffer, Math.min(count, limit));
  }

  /** Returns the error that occurred when the bytes were read, if there was one. */
  Optional<IOException> failure() {
    return Optional.ofNullable(failure);
  }

  /** Returns the number of bytes consumed so far. */
  long taken() {
    return read - (limit - position);
  }

  /**
   * Reads exactly the given number of bytes.
   *
   * @throws EOFException when fewer bytes are left
   */
  void readFully(byte[] target, int count) throws IOException {
    if (readNBytes(target, 0, count) < count) {
      throw new EOFException();
    }
  }

  @Override
  public int read() throws IOException {
    return fill() ? buffer[position++] & 0xff : -1;
  }

  @Override
  public int read(byte[] target, int start, int count) throws IOException {
    if (count == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int some = Math.min(count, limit - position);
    System.arraycopy(buffer, position, target, start, some);
    position += some;
    return some;
  }

  /** Returns more than 0 except at the end, because decoders treat 0 as the end. */
  @Override
  public int available() throws IOException {
    return fill() ? limit - position : 0;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
