/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import io.penstock.core.time.SystemTime;
import io.penstock.core.time.Time;
import io.penstock.emulator.api.Addressing;
import io.penstock.emulator.http.Handler;
import io.penstock.emulator.http.HttpServer;
import io.penstock.emulator.http.ServerOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** An HTTP server whose answers suffer the weather, and which counts and logs its requests. */
public abstract class WeatherServer implements AutoCloseable {
  private static final int MAX_CONNECTIONS = 2_000;

  private final Station station;
  private final HttpServer server;
  private final URI endpoint;

  /** Starts to serve. If that fails, the access log is closed. */
  protected WeatherServer(Options<?> options, Handler handler) throws IOException {
    station =
        new Station(
            handler, Addressing.OF_LOCALHOST, options.time, options.weather, options.accessLog);
    try {
      server =
          HttpServer.start(
              new ServerOptions(
                  options.hosts, options.port, options.tls, MAX_CONNECTIONS, station::shaping),
              station);
    } catch (IOException | RuntimeException e) {
      station.close();
      throw e;
    }
    String scheme = options.tls.isPresent() ? "https" : "http";
    String first = options.hosts.get(0);
    String reachable = first.equals("0.0.0.0") ? "127.0.0.1" : first;
    endpoint = URI.create("%s://%s:%d".formatted(scheme, reachable, server.port()));
  }

  /** Such as {@code http://127.0.0.1:41234}. */
  public final URI endpoint() {
    return endpoint;
  }

  /** Returns what was requested since the start, or since {@link #resetCounts}. */
  public final RequestCounts.Snapshot counts() {
    return station.counts().snapshot();
  }

  public final void resetCounts() {
    station.counts().reset();
  }

  /** Changes the weather; scripted faults count from now on. */
  public final void weather(Weather weather) {
    station.weather(weather);
  }

  /** Stops serving, then closes the access log. */
  @Override
  public void close() {
    server.close();
    station.close();
  }

  /**
   * The options of every server with weather.
   *
   * @param <T> the options of one kind of server, which each method returns
   */
  public abstract static class Options<T extends Options<T>> {
    private List<String> hosts = List.of("127.0.0.1");
    private int port;
    private Optional<SSLContext> tls = Optional.empty();
    private Weather weather = Weather.CALM;
    private Optional<Path> accessLog = Optional.empty();
    private Time time = SystemTime.INSTANCE;

    protected abstract T self();

    /** Addresses to bind to, of which the first is the endpoint's; 127.0.0.1 by default. */
    public final T host(String... addresses) {
      hosts = List.of(addresses);
      return self();
    }

    /** Any free port (0) by default. */
    public final T port(int number) {
      port = number;
      return self();
    }

    /** Speaks TLS to the clients. */
    public final T tls(SSLContext context) {
      tls = Optional.of(context);
      return self();
    }

    public final T weather(Weather initial) {
      weather = initial;
      return self();
    }

    /** Appends to this file in the format of S3's server access logs. */
    public final T accessLog(Path file) {
      accessLog = Optional.of(file);
      return self();
    }

    public final T time(Time clock) {
      time = clock;
      return self();
    }

    protected final Time time() {
      return time;
    }

    /** Returns the seed of all chance in the weather, from which the server takes its own. */
    protected final long seed() {
      return weather.seed();
    }
  }
}
