/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** A body in HTTP's chunked transfer coding, decoded; extensions and trailers are dropped. */
final class ChunkedBody extends InputStream {
  private static final int MAX_SIZE_DIGITS = 15;

  private final HttpInput in;
  private long leftInChunk;
  private boolean first = true;
  private boolean ended;

  ChunkedBody(HttpInput in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int at, int length) throws IOException {
    if (leftInChunk == 0 && !ended) {
      nextChunk();
    }
    if (ended) {
      return -1;
    }
    int count = in.read(into, at, (int) Math.min(length, leftInChunk));
    if (count < 0) {
      throw new EOFException("connection closed inside a chunk");
    }
    leftInChunk -= count;
    return count;
  }

  private void nextChunk() throws IOException {
    if (!first && !in.readLine(false).isEmpty()) {
      throw new BadRequest("a chunk does not end where its size says");
    }
    first = false;
    leftInChunk = sizeOf(in.readLine(false));
    if (leftInChunk == 0) {
      in.readFields();
      ended = true;
    }
  }

  private static long sizeOf(String line) throws IOException {
    int end = line.indexOf(';');
    String digits = (end < 0 ? line : line.substring(0, end)).strip();
    if (!digits.matches("[0-9a-fA-F]{1," + MAX_SIZE_DIGITS + "}")) {
      throw new BadRequest("malformed chunk size");
    }
    return Long.parseLong(digits, 16);
  }
}
