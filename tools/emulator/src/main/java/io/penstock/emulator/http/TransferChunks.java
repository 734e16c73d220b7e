/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

import java.io.EOFException;
import java.io.IOException;

/** Decodes a body in HTTP's chunked transfer coding. Ignores the trailers. */
final class TransferChunks extends ChunkedBody {
  private final HttpInput in;

  TransferChunks(HttpInput in) {
    this.in = in;
  }

  @Override
  protected String readLine() throws IOException {
    return in.readLine(false);
  }

  @Override
  protected int readBytes(byte[] into, int at, int length) throws IOException {
    return in.read(into, at, length);
  }

  @Override
  protected void readTrailers() throws IOException {
    in.readFields();
  }

  @Override
  protected IOException malformed(String problem) {
    return new BadRequest(problem);
  }

  @Override
  protected IOException cutShort() {
    return new EOFException("connection closed inside a chunk");
  }
}
