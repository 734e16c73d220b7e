/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Reads a fixed number of bytes from a connection and leaves the connection open. */
final class FixedBody extends InputStream {
  private final InputStream in;
  private final long lengthBytes;
  private long leftBytes;

  FixedBody(InputStream in, long lengthBytes) {
    this.in = in;
    this.lengthBytes = lengthBytes;
    this.leftBytes = lengthBytes;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int at, int length) throws IOException {
    if (leftBytes == 0) {
      return -1;
    }
    int count = in.read(into, at, (int) Math.min(length, leftBytes));
    if (count < 0) {
      throw new EOFException(
          "connection closed after %d of %d bytes".formatted(lengthBytes - leftBytes, lengthBytes));
    }
    leftBytes -= count;
    return count;
  }
}
