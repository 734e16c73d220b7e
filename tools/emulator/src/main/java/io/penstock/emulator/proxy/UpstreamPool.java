/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.proxy;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import javax.net.ssl.SSLSocketFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps open connections to one server for reuse. */
final class UpstreamPool implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(UpstreamPool.class);
  private static final int MAX_IDLE = 256;

  private final URI upstream;
  private final SSLSocketFactory tls;
  private final Deque<UpstreamConnection> idle = new ArrayDeque<>();
  private boolean isClosed;

  UpstreamPool(URI upstream, SSLSocketFactory tls) {
    this.upstream = upstream;
    this.tls = tls;
  }

  URI upstream() {
    return upstream;
  }

  UpstreamConnection fresh() throws IOException {
    return UpstreamConnection.open(upstream, tls);
  }

  /**
   * Returns the most recently used connection, which is the least likely to be stale, or opens a
   * new one.
   */
  UpstreamConnection take() throws IOException {
    UpstreamConnection found;
    synchronized (this) {
      found = idle.pollFirst();
    }
    return found == null ? fresh() : found.reused();
  }

  void give(UpstreamConnection connection) {
    synchronized (this) {
      if (!isClosed && idle.size() < MAX_IDLE) {
        idle.addFirst(connection);
        return;
      }
    }
    drop(connection);
  }

  static void drop(UpstreamConnection connection) {
    try {
      connection.close();
    } catch (IOException e) {
      LOG.debug("closing a connection failed: {}", e.toString());
    }
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    idle.forEach(UpstreamPool::drop);
    idle.clear();
  }
}
