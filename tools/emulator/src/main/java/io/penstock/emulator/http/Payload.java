/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;

/** The body of an answer. The server calls {@link #close} once, whether or not it was written. */
public interface Payload extends Closeable {
  /** A length that is not known before the end: sent chunked. */
  long UNKNOWN = -1;

  long lengthBytes();

  void writeTo(OutputStream out) throws IOException;

  @Override
  default void close() throws IOException {}

  static Payload empty() {
    return of(new byte[0]);
  }

  static Payload of(byte[] bytes) {
    return new BytesPayload(bytes);
  }

  /** Bytes in memory. */
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
