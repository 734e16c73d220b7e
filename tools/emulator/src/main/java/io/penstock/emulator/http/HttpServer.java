/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts connections and serves each one on a daemon thread from a bounded pool. */
public final class HttpServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
  private static final int BACKLOG = 1_000;
  private static final int CLOSE_MILLIS = 1_000;

  private final List<ServerSocket> listening;
  private final ServerOptions options;
  private final Handler handler;
  private final ThreadPoolExecutor threads;
  private volatile boolean isClosed;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  private HttpServer(List<ServerSocket> listening, ServerOptions options, Handler handler) {
    this.listening = listening;
    this.options = options;
    this.handler = handler;
    this.threads =
        new ThreadPoolExecutor(
            0,
            options.maxConnections(),
            30,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            daemons("emulator-http-" + port()));
  }

  /** Starts the server. Returns once all addresses accept connections at the port. */
  public static HttpServer start(ServerOptions options, Handler handler) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (String host : options.hosts()) {
        int port = sockets.isEmpty() ? options.port() : sockets.get(0).getLocalPort();
        sockets.add(listen(host, port));
      }
    } catch (IOException e) {
      sockets.forEach(HttpServer::closeQuietly);
      throw e;
    }
    HttpServer server = new HttpServer(sockets, options, handler);
    ThreadFactory threads = daemons("emulator-accept-" + server.port());
    sockets.forEach(socket -> threads.newThread(() -> server.acceptAll(socket)).start());
    return server;
  }

  private static ServerSocket listen(String host, int port) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getByName(host), port), BACKLOG);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw new IOException("cannot listen on %s:%d: %s".formatted(host, port, e.getMessage()), e);
    }
  }

  public int port() {
    return listening.get(0).getLocalPort();
  }

  /** Stops listening, breaks all open connections, and waits for their threads to end. */
  @Override
  public void close() {
    isClosed = true;
    listening.forEach(HttpServer::closeQuietly);
    threads.shutdown();
    open.forEach(HttpServer::closeQuietly);
    try {
      if (!threads.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS)) {
        threads.shutdownNow(); // wakes threads that wait in a stall
        if (!threads.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS)) {
          LOG.warn("{} connections on port {} do not end", threads.getActiveCount(), port());
        }
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  private void acceptAll(ServerSocket socket) {
    while (!isClosed) {
      try {
        serve(socket.accept());
      } catch (IOException e) {
        if (!isClosed) {
          LOG.warn("cannot accept a connection: {}", e.toString());
        }
      }
    }
  }

  private void serve(Socket socket) {
    open.add(socket);
    try {
      threads.execute(
          () -> {
            try {
              new Connection(socket, options, handler).run();
            } finally {
              open.remove(socket);
              closeQuietly(socket);
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.warn("refused a connection: {} are open", options.maxConnections());
      open.remove(socket);
      closeQuietly(socket);
    }
    if (isClosed) {
      closeQuietly(socket); // accepted while close() was closing the open sockets
    }
  }

  static void closeQuietly(AutoCloseable thing) {
    try {
      thing.close();
    } catch (Exception e) {
      LOG.debug("closing failed: {}", e.toString());
    }
  }

  private static ThreadFactory daemons(String name) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }
}
