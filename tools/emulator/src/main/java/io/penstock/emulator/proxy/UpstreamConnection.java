/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.proxy;

import io.penstock.emulator.http.Headers;
import io.penstock.emulator.http.HttpInput;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** A connection to the server behind the proxy. */
final class UpstreamConnection implements AutoCloseable {
  private static final int CONNECT_MILLIS = 10_000;
  private static final int READ_MILLIS = 300_000;

  private final Socket socket;
  private final HttpInput in;
  private final OutputStream out;
  private final boolean isReused;

  private UpstreamConnection(Socket socket, HttpInput in, OutputStream out, boolean isReused) {
    this.socket = socket;
    this.in = in;
    this.out = out;
    this.isReused = isReused;
  }

  /**
   * Connects to the upstream server.
   *
   * @param tls creates the TLS layer when the scheme is https
   */
  static UpstreamConnection open(URI upstream, SSLSocketFactory tls) throws IOException {
    boolean isTls = upstream.getScheme().equals("https");
    int port = upstream.getPort() >= 0 ? upstream.getPort() : isTls ? 443 : 80;
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.connect(new InetSocketAddress(upstream.getHost(), port), CONNECT_MILLIS);
      socket.setSoTimeout(READ_MILLIS);
      if (isTls) {
        socket = overTls(socket, upstream.getHost(), port, tls);
      }
      return new UpstreamConnection(
          socket,
          new HttpInput(socket.getInputStream()),
          new BufferedOutputStream(socket.getOutputStream(), 64 << 10),
          false);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private static Socket overTls(Socket plain, String host, int port, SSLSocketFactory tls)
      throws IOException {
    SSLSocket socket = (SSLSocket) tls.createSocket(plain, host, port, true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  /** Returns this connection marked as reused, for its next request. */
  UpstreamConnection reused() {
    return new UpstreamConnection(socket, in, out, true);
  }

  /**
   * Returns true if this connection has carried a request before. The server may then have closed
   * it in the meantime.
   */
  boolean isReused() {
    return isReused;
  }

  HttpInput in() {
    return in;
  }

  OutputStream out() {
    return out;
  }

  void sendHead(String method, String target, Headers headers) throws IOException {
    StringBuilder head = new StringBuilder(512);
    head.append(method).append(' ').append(target).append(" HTTP/1.1\r\n");
    for (Headers.Field field : headers.fields()) {
      head.append(field.name()).append(": ").append(field.value()).append("\r\n");
    }
    out.write(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
