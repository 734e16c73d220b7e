/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.network;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The body of an answer. It reports to the exchange the bytes that arrive and the end of the body.
 */
final class MeteredAnswer extends FilterInputStream {
  private final HttpExchange exchange;

  MeteredAnswer(InputStream in, HttpExchange exchange) {
    super(in);
    this.exchange = exchange;
  }

  @Override
  public int read() throws IOException {
    try {
      int value = in.read();
      exchange.received(value < 0 ? -1 : 1);
      return value;
    } catch (IOException e) {
      throw exchange.failed(e);
    }
  }

  @Override
  public int read(byte[] into, int at, int length) throws IOException {
    try {
      int count = in.read(into, at, length);
      exchange.received(count);
      return count;
    } catch (IOException e) {
      throw exchange.failed(e);
    }
  }

  @Override
  public long skip(long bytes) throws IOException {
    try {
      return in.skip(bytes);
    } catch (IOException e) {
      throw exchange.failed(e);
    }
  }

  @Override
  public void close() throws IOException {
    exchange.closed();
    in.close();
  }
}
