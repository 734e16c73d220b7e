/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * Packed bytes, in a buffer that decoders may look into. Keeps apart whether reading the bytes
 * failed or what a decoder made of them.
 */
final class Source extends InputStream {
  private static final int BUFFER_BYTES = 1 << 16;

  final byte[] buffer = new byte[BUFFER_BYTES];

  /** The next byte, and the end of those that are there. */
  int position;

  int limit;

  private final InputStream in;
  private long read;
  private IOException failure;

  Source(InputStream in) {
    this.in = in;
  }

  /** Makes sure that there is a byte in the buffer; false at the end. */
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

  /** Returns how the rest begins; fewer bytes when it is shorter. */
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

  /** The error of the place that the bytes come from, if there was one. */
  Optional<IOException> failure() {
    return Optional.ofNullable(failure);
  }

  /** Returns how many bytes have been taken. */
  long taken() {
    return read - (limit - position);
  }

  /**
   * Reads exactly so many bytes.
   *
   * @throws EOFException when there are fewer
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

  /** More than 0 unless at the end: decoders take 0 for it. */
  @Override
  public int available() throws IOException {
    return fill() ? limit - position : 0;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
