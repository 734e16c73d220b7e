/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.emulator.http.ChunkedBody;
import io.penstock.emulator.http.Headers;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Decodes a body in the coding {@code aws-chunked}: signed chunks and trailing checksums. The
 * signatures of the chunks are not checked. The seed signature in the head is checked elsewhere.
 */
final class AwsChunked extends ChunkedBody {
  private static final int MAX_LINE_BYTES = 4 << 10;
  private static final int MAX_TRAILERS = 20;

  private final InputStream in;
  private final Headers trailers = new Headers();

  AwsChunked(InputStream in) {
    this.in = new BufferedInputStream(in, 64 << 10);
  }

  /** Returns the trailers. They are complete once the body has been read to its end. */
  Headers trailers() {
    return trailers;
  }

  @Override
  protected int readBytes(byte[] into, int at, int length) throws IOException {
    return in.read(into, at, length);
  }

  @Override
  protected void readTrailers() throws IOException {
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

  /**
   * Reads one line. The end of the body also ends the line, because some clients omit the last
   * CRLF.
   */
  @Override
  protected String readLine() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
      if (line.length() == MAX_LINE_BYTES) {
        throw malformed("a line is too long");
      }
      line.append((char) c);
    }
    int last = line.length() - 1;
    if (last >= 0 && line.charAt(last) == '\r') {
      line.setLength(last);
    }
    return line.toString();
  }

  @Override
  protected S3Failure malformed(String problem) {
    return new S3Failure(400, "IncompleteBody", "aws-chunked: " + problem + ".");
  }

  @Override
  protected S3Failure cutShort() {
    return malformed("the body ends inside a chunk");
  }
}
