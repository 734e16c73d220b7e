/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.proxy;

import io.penstock.emulator.api.RequestIds;
import io.penstock.emulator.weather.WeatherServer;
import java.io.IOException;
import java.net.URI;
import java.util.SplittableRandom;
import javax.net.ssl.SSLSocketFactory;

/**
 * A reverse proxy in front of an S3 server. It adds the "weather" of a store: latency, throttling,
 * limited bandwidth and faults.
 */
public final class WeatherProxy extends WeatherServer {
  private final UpstreamPool pool;

  private WeatherProxy(Builder options, Forwarder forwarder, UpstreamPool pool) throws IOException {
    super(options, forwarder);
    this.pool = pool;
  }

  /**
   * Returns the options of a proxy on any free port of the loopback address.
   *
   * @param upstream such as {@code http://127.0.0.1:9000}; its path is ignored
   * @throws IllegalArgumentException when it is not an http or https URL with a host
   */
  public static Builder of(URI upstream) {
    return new Builder(upstream);
  }

  @Override
  public void close() {
    super.close();
    pool.close();
  }

  /** The options of a proxy. */
  public static final class Builder extends Options<Builder> {
    private final URI upstream;
    private SSLSocketFactory upstreamTls = (SSLSocketFactory) SSLSocketFactory.getDefault();

    private Builder(URI upstream) {
      boolean isHttp = "http".equals(upstream.getScheme()) || "https".equals(upstream.getScheme());
      if (!isHttp || upstream.getHost() == null) {
        throw new IllegalArgumentException(
            "'%s' is no server; write http://HOST:PORT or https://HOST:PORT".formatted(upstream));
      }
      this.upstream = upstream;
    }

    @Override
    protected Builder self() {
      return this;
    }

    /** Uses this factory for connections to the upstream server when its scheme is https. */
    public Builder upstreamTls(SSLSocketFactory factory) {
      upstreamTls = factory;
      return this;
    }

    /**
     * Starts to serve. When this returns, clients can connect. The caller closes the proxy.
     *
     * @throws IOException when the port is taken
     */
    public WeatherProxy start() throws IOException {
      UpstreamPool pool = new UpstreamPool(upstream, upstreamTls);
      RequestIds ids = new RequestIds(new SplittableRandom(seed()));
      return new WeatherProxy(this, new Forwarder(pool, ids), pool);
    }
  }
}
