/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.proxy;

import io.penstock.emulator.http.Payload;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Passes on the body of a response as it arrives. Then returns a reusable connection to the pool.
 */
final class UpstreamPayload implements Payload {
  private final UpstreamConnection connection;
  private final UpstreamPool pool;
  private final InputStream body;
  private final long lengthBytes;
  private final boolean keeps;
  private boolean isWhole;

  /**
   * Takes ownership of the connection.
   *
   * @param keeps whether the connection can carry another request after this body
   */
  UpstreamPayload(
      UpstreamConnection connection,
      UpstreamPool pool,
      InputStream body,
      long lengthBytes,
      boolean keeps) {
    this.connection = connection;
    this.pool = pool;
    this.body = body;
    this.lengthBytes = lengthBytes;
    this.keeps = keeps;
    this.isWhole = lengthBytes == 0;
  }

  @Override
  public long lengthBytes() {
    return lengthBytes;
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    body.transferTo(out);
    isWhole = true;
  }

  @Override
  public void close() {
    if (isWhole && keeps) {
      pool.give(connection);
    } else {
      UpstreamPool.drop(connection);
    }
  }
}
