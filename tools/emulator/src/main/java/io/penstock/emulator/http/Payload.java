/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;

/**
 * The body of a response. The server calls {@link #close} exactly once, even if the body was not
 * written.
 */
public interface Payload extends Closeable {
  /** The length of a body whose length is not known in advance. Such a body is sent chunked. */
  long UNKNOWN = -1;

  /** Returns the number of bytes that {@link #writeTo} writes, or {@link #UNKNOWN}. */
  long lengthBytes();

  /** Writes the body, at most once. Does not close the stream. */
  void writeTo(OutputStream out) throws IOException;

  @Override
  default void close() throws IOException {}

  static Payload empty() {
    return of(new byte[0]);
  }

  static Payload of(byte[] bytes) {
    return new BytesPayload(bytes);
  }

  /** A body that is held in memory. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record BytesPayload(byte[] bytes) implements Payload {
    @Override
    public long lengthBytes() {
      return bytes.length;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      out.write(bytes);
    }
  }
}
