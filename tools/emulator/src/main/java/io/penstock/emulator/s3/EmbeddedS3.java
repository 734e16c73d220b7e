/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.emulator.api.Addressing;
import io.penstock.emulator.api.RequestIds;
import io.penstock.emulator.weather.WeatherServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;

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
public final class EmbeddedS3 extends WeatherServer {
  private final Buckets buckets;

  private EmbeddedS3(Builder options, S3Handler handler, Buckets buckets) throws IOException {
    super(options, handler);
    this.buckets = buckets;
  }

  /**
   * Returns the options of an endpoint on any free port. By default it keeps objects in memory and
   * accepts requests from everybody.
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Returns the store of a bucket, for reading or changing it without going through the endpoint.
   * The endpoint closes it.
   *
   * @throws IllegalArgumentException when there is no such bucket
   */
  public ObjectStore store(String bucket) {
    return buckets
        .find(bucket)
        .orElseThrow(() -> new IllegalArgumentException("no bucket " + bucket))
        .store();
  }

  /**
   * Creates a bucket. Does nothing if it exists.
   *
   * @throws IOException when the name is not valid, or the store cannot be opened
   */
  public void createBucket(String name) throws IOException {
    buckets.create(name);
  }

  /** Stops serving, then closes the stores and the access log. */
  @Override
  public void close() {
    super.close();
    buckets.close();
  }

  /** The options of an endpoint. */
  public static final class Builder extends Options<Builder> {
    private String region = "us-east-1";
    private final List<Credentials> credentials = new ArrayList<>();
    private final Set<String> names = new LinkedHashSet<>();
    private final Set<String> readOnly = new LinkedHashSet<>();
    private StoreFactory factory;
    private Optional<Path> kept = Optional.empty();
    private Dialect dialect = Dialect.AMAZON;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /** Sets the region of all buckets; {@code us-east-1} by default. */
    public Builder region(String name) {
      region = name;
      return this;
    }

    /** Lets the endpoint answer as this store does. Default: as Amazon S3. */
    public Builder like(Dialect store) {
      dialect = store;
      return this;
    }

    /** Adds an accepted key. If none is added, signatures are neither required nor checked. */
    public Builder credentials(Credentials accepted) {
      credentials.add(accepted);
      return this;
    }

    /** Creates this bucket at the start. */
    public Builder bucket(String name) {
      names.add(name);
      return this;
    }

    /** Creates this bucket at the start. Clients cannot write to it through the endpoint. */
    public Builder readOnlyBucket(String name) {
      readOnly.add(name);
      return bucket(name);
    }

    /** Keeps objects under this directory. The next start on the same directory restores them. */
    public Builder directory(Path directory) {
      kept = Optional.of(directory);
      return stores(bucket -> DiskStore.open(directory.resolve(bucket), bucket, time()));
    }

    /** Sets the factory for the stores of the buckets. Default: in memory. */
    public Builder stores(StoreFactory maker) {
      factory = maker;
      return this;
    }

    /**
     * Starts to serve. When this returns, clients can connect. The caller closes the server.
     *
     * @throws IOException when the port is taken, the directory is in use, its journal cannot be
     *     read, or a bucket's name is not valid
     */
    public EmbeddedS3 start() throws IOException {
      StoreFactory stores = factory == null ? bucket -> new InMemoryStore(bucket, time()) : factory;
      Buckets buckets = new Buckets(stores, readOnly, time());
      S3Handler s3 =
          new S3Handler(
              buckets,
              new RequestAuthenticator(credentials, region, time()),
              Addressing.OF_LOCALHOST,
              region,
              time(),
              new RequestIds(new SplittableRandom(seed())),
              dialect);
      try {
        names.addAll(keptBuckets());
        for (String name : names) {
          buckets.create(name);
        }
        return new EmbeddedS3(this, s3, buckets);
      } catch (IOException | RuntimeException e) {
        buckets.close(); // otherwise the directory would stay locked
        throw e;
      }
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
