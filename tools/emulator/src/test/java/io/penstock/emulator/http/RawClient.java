/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Speaks bytes, so that a test sees and sends what no client library lets through. */
public final class RawClient implements AutoCloseable {
  private final Socket socket;

  public RawClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(10_000);
  }

  public RawClient send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
    return this;
  }

  /** Sends nothing more, and goes on reading. */
  public RawClient hangUp() throws IOException {
    socket.shutdownOutput();
    return this;
  }

  /** Up to and including this text. */
  public String readUntil(String end) throws IOException {
    ByteArrayOutputStream seen = new ByteArrayOutputStream();
    while (!seen.toString(StandardCharsets.ISO_8859_1).endsWith(end)) {
      int c = socket.getInputStream().read();
      if (c < 0) {
        break;
      }
      seen.write(c);
    }
    return seen.toString(StandardCharsets.ISO_8859_1);
  }

  /** Everything until the server closes. */
  public String readAll() throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
