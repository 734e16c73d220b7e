/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.memory.InMemoryStore;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/**
 * An S3 endpoint in this process, with weather.
 *
 * <pre>{@code
 * try (EmbeddedS3 s3 = EmbeddedS3.builder().bucket("lake").start()) {
 *   client(s3.endpoint()).putObject(...);
 *   assertThat(s3.counts().requests()).isEqualTo(Map.of("PutObject", 1L));
 * }
 * }</pre>
 */
public final class EmbeddedS3 implements AutoCloseable {
  private final HttpServer server;
  private final Station station;
  private final Buckets buckets;
  private final URI endpoint;

  private EmbeddedS3(HttpServer server, Station station, Buckets buckets, URI endpoint) {
    this.server = server;
    this.station = station;
    this.buckets = buckets;
    this.endpoint = endpoint;
  }

  /** An endpoint on any free port, over memory, open to everybody. */
  public static Builder builder() {
    return new Builder();
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

  /**
   * The store behind a bucket, for looking at it past the endpoint.
   *
   * @throws IllegalArgumentException when there is no such bucket
   */
  public ObjectStore store(String bucket) {
    return buckets
        .find(bucket)
        .orElseThrow(() -> new IllegalArgumentException("no bucket " + bucket))
        .store();
  }

  public void createBucket(String name) throws IOException {
    buckets.create(name);
  }

  /** Stops serving, then closes the stores and the access log. */
  @Override
  public void close() {
    server.close();
    station.close();
    buckets.close();
  }

  /** The options of an endpoint. */
  public static final class Builder {
    private List<String> hosts = List.of("127.0.0.1");
    private int port;
    private Optional<SSLContext> tls = Optional.empty();
    private String region = "us-east-1";
    private final List<Credentials> credentials = new ArrayList<>();
    private final Set<String> names = new LinkedHashSet<>();
    private final Set<String> readOnly = new LinkedHashSet<>();
    private Weather weather = Weather.CALM;
    private Optional<Path> accessLog = Optional.empty();
    private Time time = SystemTime.INSTANCE;
    private StoreFactory factory;
    private Optional<Path> kept = Optional.empty();

    private Builder() {}

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

    public Builder tls(SSLContext context) {
      tls = Optional.of(context);
      return this;
    }

    /** Sets the region of all buckets; {@code us-east-1} by default. */
    public Builder region(String name) {
      region = name;
      return this;
    }

    /** One more accepted key. With none, nobody needs a signature and none is checked. */
    public Builder credentials(Credentials accepted) {
      credentials.add(accepted);
      return this;
    }

    /** Creates the bucket at the start. */
    public Builder bucket(String name) {
      names.add(name);
      return this;
    }

    /** Creates the bucket at the start; through the endpoint it cannot be written. */
    public Builder readOnlyBucket(String name) {
      readOnly.add(name);
      return bucket(name);
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

    /** Keeps objects under this directory, where the next start finds them. */
    public Builder directory(Path directory) {
      kept = Optional.of(directory);
      return stores(bucket -> DiskStore.open(directory.resolve(bucket), bucket, time));
    }

    /** Makes the store of each bucket; in memory by default. */
    public Builder stores(StoreFactory maker) {
      factory = maker;
      return this;
    }

    public EmbeddedS3 start() throws IOException {
      StoreFactory stores = factory == null ? bucket -> new InMemoryStore(bucket, time) : factory;
      Buckets buckets = new Buckets(stores, readOnly, time);
      names.addAll(keptBuckets());
      for (String name : names) {
        buckets.create(name);
      }
      Addressing addressing = Addressing.OF_LOCALHOST;
      S3Handler s3 =
          new S3Handler(
              buckets,
              new Gatekeeper(credentials, region, time),
              addressing,
              region,
              time,
              new RequestIds(new SplittableRandom(weather.seed())));
      Station station = new Station(s3, addressing, time, weather, accessLog);
      ServerOptions options = new ServerOptions(hosts, port, tls, 2_000, station::shaping);
      HttpServer server;
      try {
        server = HttpServer.start(options, station);
      } catch (IOException e) {
        station.close();
        buckets.close(); // or the directory would stay locked
        throw e;
      }
      String scheme = tls.isPresent() ? "https" : "http";
      String reachable = hosts.get(0).equals("0.0.0.0") ? "127.0.0.1" : hosts.get(0);
      URI endpoint = URI.create("%s://%s:%d".formatted(scheme, reachable, server.port()));
      return new EmbeddedS3(server, station, buckets, endpoint);
    }

    private List<String> keptBuckets() throws IOException {
      if (kept.isEmpty() || !Files.isDirectory(kept.get())) {
        return List.of();
      }
      try (Stream<Path> directories = Files.list(kept.get())) {
        return directories
            .filter(directory -> Files.exists(directory.resolve("journal")))
            .map(directory -> directory.getFileName().toString())
            .toList();
      }
    }
  }
}
