/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.network;

import java.io.IOException;
import java.net.InetAddress;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.impl.DefaultSchemePortResolver;
import org.apache.hc.client5.http.impl.routing.DefaultRoutePlanner;
import org.apache.hc.client5.http.routing.HttpRoutePlanner;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.protocol.HttpContext;

/**
 * Sends a request to the address that was chosen for it, on the thread that makes the request. The
 * route keeps the host name. So the Host header, SNI and the certificate check use the name, while
 * connections are pooled by address.
 */
final class AddressRoutes implements HttpRoutePlanner {
  private final HttpRoutePlanner byName =
      new DefaultRoutePlanner(DefaultSchemePortResolver.INSTANCE);
  private static final ThreadLocal<InetAddress> CHOSEN = new ThreadLocal<>();

  /** A request to send. */
  interface Call<T> {
    T run() throws IOException;
  }

  <T> T to(InetAddress address, Call<T> call) throws IOException {
    CHOSEN.set(address);
    try {
      return call.run();
    } finally {
      CHOSEN.remove();
    }
  }

  @Override
  public HttpRoute determineRoute(HttpHost host, HttpContext context) throws HttpException {
    HttpRoute route = byName.determineRoute(host, context);
    InetAddress address = CHOSEN.get();
    if (address == null) {
      return route;
    }
    HttpHost target = route.getTargetHost();
    return new HttpRoute(
        new HttpHost(target.getSchemeName(), address, target.getHostName(), target.getPort()),
        route.getLocalAddress(),
        route.isSecure());
  }
}
