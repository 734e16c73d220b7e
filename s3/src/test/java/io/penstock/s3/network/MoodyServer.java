/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.network;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ServerSocketFactory;

/**
 * A server on a bare socket. The path says how it treats a request: {@code /mute} is never
 * answered, {@code /deaf} has its body left unread, {@code /half} gets half of an answer, {@code
 * /bye} an answer after which the connection is closed; others get two bytes.
 */
final class MoodyServer implements AutoCloseable {
  private final ServerSocket listening;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicInteger requests = new AtomicInteger();
  private final List<String> hosts = new CopyOnWriteArrayList<>();

  private MoodyServer(ServerSocket listening) {
    this.listening = listening;
    Thread accepting = new Thread(this::acceptAll, "moody-server");
    accepting.setDaemon(true);
    accepting.start();
  }

  static MoodyServer at(String address, int port) throws IOException {
    return new MoodyServer(bound(ServerSocketFactory.getDefault(), address, port));
  }

  static MoodyServer of(ServerSocketFactory sockets) throws IOException {
    return new MoodyServer(bound(sockets, "127.0.0.1", 0));
  }

  private static ServerSocket bound(ServerSocketFactory sockets, String address, int port)
      throws IOException {
    ServerSocket socket = sockets.createServerSocket();
    socket.setReuseAddress(true);
    socket.bind(new InetSocketAddress(InetAddress.getByName(address), port), 100);
    return socket;
  }

  int port() {
    return listening.getLocalPort();
  }

  int requests() {
    return requests.get();
  }

  int connections() {
    return sockets.size();
  }

  /** The Host headers that came. */
  List<String> hosts() {
    return hosts;
  }

  private void acceptAll() {
    while (!listening.isClosed()) {
      try {
        Socket socket = listening.accept();
        sockets.add(socket);
        // The system may let one more in while the socket is being closed.
        if (listening.isClosed()) {
          socket.close();
          return;
        }
        Thread serving = new Thread(() -> serve(socket), "moody-connection");
        serving.setDaemon(true);
        serving.start();
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try {
      InputStream in = socket.getInputStream();
      boolean goesOn = true;
      while (goesOn) {
        goesOn = answer(socket, head(in));
      }
    } catch (IOException e) {
      // The client went away, as it may.
    }
  }

  private boolean answer(Socket socket, String head) throws IOException {
    if (head.isEmpty()) {
      return false;
    }
    requests.incrementAndGet();
    head.lines().filter(line -> line.startsWith("Host:")).forEach(hosts::add);
    String path = head.split(" ", 3)[1];
    if (path.startsWith("/mute") || path.startsWith("/deaf")) {
      return false;
    }
    OutputStream out = socket.getOutputStream();
    boolean half = path.startsWith("/half");
    out.write(
        ("HTTP/1.1 200 OK\r\nContent-Length: " + (half ? 4 : 2) + "\r\n\r\nok")
            .getBytes(ISO_8859_1));
    out.flush();
    if (path.startsWith("/bye")) {
      socket.close();
      return false;
    }
    return !half;
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int c = in.read();
      if (c < 0) {
        return "";
      }
      head.append((char) c);
    }
    return head.toString();
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
