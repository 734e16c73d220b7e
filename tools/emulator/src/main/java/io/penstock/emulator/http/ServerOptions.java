/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * The options of an HTTP server.
 *
 * @param hosts addresses to bind to, all at the same port
 * @param port 0 for any free port
 * @param maxConnections connections beyond this number are closed at once
 * @param shaping called once for each connection
 */
public record ServerOptions(
    List<String> hosts,
    int port,
    Optional<SSLContext> tls,
    int maxConnections,
    Supplier<Shaping> shaping) {
  public ServerOptions {
    hosts = List.copyOf(hosts);
    if (hosts.isEmpty()) {
      throw new IllegalArgumentException("there must be an address to listen on");
    }
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port must be 0 to 65535, got " + port);
    }
    if (maxConnections < 1) {
      throw new IllegalArgumentException("maxConnections must be positive: " + maxConnections);
    }
  }

  /**
   * Returns the options of a server on the loopback address, without TLS, with up to 2,000
   * connections.
   */
  public static ServerOptions onPort(int port) {
    return new ServerOptions(
        List.of("127.0.0.1"), port, Optional.empty(), 2_000, () -> Shaping.NONE);
  }
}
