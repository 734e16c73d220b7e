/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.proxy;

import io.penstock.core.time.SystemTime;
import io.penstock.core.time.Time;
import io.penstock.emulator.api.Addressing;
import io.penstock.emulator.api.RequestIds;
import io.penstock.emulator.http.HttpServer;
import io.penstock.emulator.http.ServerOptions;
import io.penstock.emulator.weather.RequestCounts;
import io.penstock.emulator.weather.Station;
import io.penstock.emulator.weather.Weather;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;

/** A reverse proxy in front of an S3 server, with weather. */
public final class WeatherProxy implements AutoCloseable {
  private final HttpServer server;
  private final Station station;
  private final UpstreamPool pool;
  private final URI endpoint;

  private WeatherProxy(HttpServer server, Station station, UpstreamPool pool, URI endpoint) {
    this.server = server;
    this.station = station;
    this.pool = pool;
    this.endpoint = endpoint;
  }

  /**
   * A proxy on any free port of the loop-back address.
   *
   * @param upstream such as {@code http://127.0.0.1:9000}; its path is ignored
   */
  public static Builder of(URI upstream) {
    return new Builder(upstream);
  }

  /** Such as {@code http://127.0.0.1:41234}. */
  public URI endpoint() {
    return endpoint;
  }

  /** Returns what was requested since the start, or since {@link #resetCounts}. */
  public RequestCounts.Snapshot counts() {
    return station.counts().snapshot();
  }

  public void resetCounts() {
    station.counts().reset();
  }

  /** Changes the weather; scripted faults count from now on. */
  public void weather(Weather weather) {
    station.weather(weather);
  }

  @Override
  public void close() {
    server.close();
    station.close();
    pool.close();
  }

  /** The options of a proxy. */
  public static final class Builder {
    private final URI upstream;
    private List<String> hosts = List.of("127.0.0.1");
    private int port;
    private Optional<SSLContext> tls = Optional.empty();
    private SSLSocketFactory upstreamTls = (SSLSocketFactory) SSLSocketFactory.getDefault();
    private Weather weather = Weather.CALM;
    private Optional<Path> accessLog = Optional.empty();
    private Time time = SystemTime.INSTANCE;

    private Builder(URI upstream) {
      boolean isHttp = "http".equals(upstream.getScheme()) || "https".equals(upstream.getScheme());
      if (!isHttp || upstream.getHost() == null) {
        throw new IllegalArgumentException(
            "'%s' is no server; write http://HOST:PORT or https://HOST:PORT".formatted(upstream));
      }
      this.upstream = upstream;
    }

    /** Addresses to bind to, of which the first is the endpoint's; 127.0.0.1 by default. */
    public Builder host(String... addresses) {
      hosts = List.of(addresses);
      return this;
    }

    /** Any free port (0) by default. */
    public Builder port(int number) {
      port = number;
      return this;
    }

    /** Speaks TLS to the clients. */
    public Builder tls(SSLContext context) {
      tls = Optional.of(context);
      return this;
    }

    /** Trusts the server as this says, when its scheme is https. */
    public Builder upstreamTls(SSLSocketFactory factory) {
      upstreamTls = factory;
      return this;
    }

    public Builder weather(Weather initial) {
      weather = initial;
      return this;
    }

    /** Appends to this file in the format of S3's server access logs. */
    public Builder accessLog(Path file) {
      accessLog = Optional.of(file);
      return this;
    }

    public Builder time(Time clock) {
      time = clock;
      return this;
    }

    public WeatherProxy start() throws IOException {
      UpstreamPool pool = new UpstreamPool(upstream, upstreamTls);
      RequestIds ids = new RequestIds(new SplittableRandom(weather.seed()));
      Station station =
          new Station(new Forwarder(pool, ids), Addressing.OF_LOCALHOST, time, weather, accessLog);
      HttpServer server =
          HttpServer.start(new ServerOptions(hosts, port, tls, 2_000, station::shaping), station);
      String scheme = tls.isPresent() ? "https" : "http";
      String reachable = hosts.get(0).equals("0.0.0.0") ? "127.0.0.1" : hosts.get(0);
      URI endpoint = URI.create("%s://%s:%d".formatted(scheme, reachable, server.port()));
      return new WeatherProxy(server, station, pool, endpoint);
    }
  }
}
