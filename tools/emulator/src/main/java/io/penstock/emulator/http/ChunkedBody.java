/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

import java.io.IOException;
import java.io.InputStream;

/**
 * Decodes a body that is sent in chunks. A line before each chunk gives its size in hexadecimal
 * digits. Anything after a semicolon in that line is ignored. A chunk of size 0 ends the body.
 */
public abstract class ChunkedBody extends InputStream {
  /** A hexadecimal number of this many digits always fits a {@code long}. */
  private static final int MAX_SIZE_DIGITS = 15;

  private long leftInChunk;
  private boolean first = true;
  private boolean ended;

  /** Reads one line and returns it without its line end. */
  protected abstract String readLine() throws IOException;

  /** Reads bytes of a chunk as {@link InputStream#read(byte[], int, int)} does. */
  protected abstract int readBytes(byte[] into, int at, int length) throws IOException;

  /** Reads the trailers after the last chunk, including the empty line that ends them. */
  protected abstract void readTrailers() throws IOException;

  /** Returns the exception for a body that violates the chunked coding. */
  protected abstract IOException malformed(String problem);

  /** Makes the error for a body that ends inside a chunk. */
  protected abstract IOException cutShort();

  @Override
  public final int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public final int read(byte[] into, int at, int length) throws IOException {
    if (leftInChunk == 0 && !ended) {
      nextChunk();
    }
    if (ended) {
      return -1;
    }
    int count = readBytes(into, at, (int) Math.min(length, leftInChunk));
    if (count < 0) {
      throw cutShort();
    }
    leftInChunk -= count;
    return count;
  }

  private void nextChunk() throws IOException {
    if (!first && !readLine().isEmpty()) {
      throw malformed("a chunk does not end where its size says");
    }
    first = false;
    leftInChunk = sizeIn(readLine());
    if (leftInChunk == 0) {
      readTrailers();
      ended = true;
    }
  }

  private long sizeIn(String line) throws IOException {
    int end = line.indexOf(';');
    String digits = (end < 0 ? line : line.substring(0, end)).strip();
    if (!digits.matches("[0-9a-fA-F]{1," + MAX_SIZE_DIGITS + "}")) {
      throw malformed("malformed size of a chunk");
    }
    return Long.parseLong(digits, 16);
  }
}
