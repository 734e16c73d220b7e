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

/** An HTTP server that applies weather to its responses, and counts and logs its requests. */
public abstract class WeatherServer implements AutoCloseable {
  private static final int MAX_CONNECTIONS = 2_000;

  private final WeatherHandler station;
  private final HttpServer server;
  private final URI endpoint;

  /** Starts to serve. Closes the access log if the start fails. */
  protected WeatherServer(Options<?> options, Handler handler) throws IOException {
    station =
        new WeatherHandler(
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

  /** Returns the address of the server, such as {@code http://127.0.0.1:41234}. */
  public final URI endpoint() {
    return endpoint;
  }

  /** Returns the counts of requests since the start, or since {@link #resetCounts}. */
  public final RequestCounts.Snapshot counts() {
    return station.counts().snapshot();
  }

  public final void resetCounts() {
    station.counts().reset();
  }

  /** Changes the weather. Scripted faults start to count requests from now on. */
  public final void weather(Weather weather) {
    station.weather(weather);
  }

  /**
   * Stops serving, breaks connections, waits for them for two seconds at most, and closes the log.
   */
  @Override
  public void close() {
    server.close();
    station.close();
  }

  /**
   * The options of every server with weather.
   *
   * @param <T> type of the options of one kind of server, which each method returns
   */
  public abstract static class Options<T extends Options<T>> {
    private List<String> hosts = List.of("127.0.0.1");
    private int port;
    private Optional<SSLContext> tls = Optional.empty();
    private Weather weather = Weather.CALM;
    private Optional<Path> accessLog = Optional.empty();
    private Time time = SystemTime.INSTANCE;

    protected abstract T self();

    /**
     * Sets the addresses to bind to. The first one is the endpoint's address. Default: 127.0.0.1.
     */
    public final T host(String... addresses) {
      hosts = List.of(addresses);
      return self();
    }

    /** Sets the port. Default: any free port (0). */
    public final T port(int number) {
      port = number;
      return self();
    }

    /** Uses TLS for connections from clients. */
    public final T tls(SSLContext context) {
      tls = Optional.of(context);
      return self();
    }

    /** Sets the weather at the start. Default: calm. */
    public final T weather(Weather initial) {
      weather = initial;
      return self();
    }

    /** Appends to this file in the format of S3's server access log. */
    public final T accessLog(Path file) {
      accessLog = Optional.of(file);
      return self();
    }

    /** Sets the clock of time stamps and delays. Default: the machine's. */
    public final T time(Time clock) {
      time = clock;
      return self();
    }

    protected final Time time() {
      return time;
    }

    /**
     * Returns the seed of all random draws in the weather. The server derives its own draws from
     * it.
     */
    protected final long seed() {
      return weather.seed();
    }
  }
}
