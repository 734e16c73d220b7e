/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.emulator.http.Headers;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A body in the coding {@code aws-chunked}, decoded: chunks with signatures, which are not checked
 * (the seed signature in the head is), and trailing checksums.
 */
final class AwsChunked extends InputStream {
  private static final int MAX_LINE_BYTES = 4 << 10;
  private static final int MAX_TRAILERS = 20;

  private final InputStream in;
  private final Headers trailers = new Headers();
  private long leftInChunk;
  private boolean first = true;
  private boolean ended;

  AwsChunked(InputStream in) {
    this.in = new BufferedInputStream(in, 64 << 10);
  }

  /** Whole once the body is read to its end. */
  Headers trailers() {
    return trailers;
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
      throw incomplete("the body ends inside a chunk");
    }
    leftInChunk -= count;
    return count;
  }

  private void nextChunk() throws IOException {
    if (!first && !readLine().isEmpty()) {
      throw incomplete("a chunk does not end where its size says");
    }
    first = false;
    String line = readLine();
    int end = line.indexOf(';');
    String digits = end < 0 ? line : line.substring(0, end);
    if (!digits.matches("[0-9a-fA-F]{1,15}")) {
      throw incomplete("malformed size of a chunk");
    }
    leftInChunk = Long.parseLong(digits, 16);
    if (leftInChunk == 0) {
      readTrailers();
      ended = true;
    }
  }

  private void readTrailers() throws IOException {
    for (int count = 0; count < MAX_TRAILERS; count++) {
      String line = readLine();
      if (line.isEmpty()) {
        break;
      }
      int colon = line.indexOf(':');
      if (colon > 0) {
        trailers.add(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
      }
    }
  }

  /** The end of the body ends the line too: some clients leave out the last CRLF. */
  private String readLine() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
      if (line.length() == MAX_LINE_BYTES) {
        throw incomplete("a line is too long");
      }
      line.append((char) c);
    }
    int last = line.length() - 1;
    if (last >= 0 && line.charAt(last) == '\r') {
      line.setLength(last);
    }
    return line.toString();
  }

  private static S3Failure incomplete(String problem) {
    return new S3Failure(400, "IncompleteBody", "aws-chunked: " + problem + ".");
  }
}
