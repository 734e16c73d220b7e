/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.time.Time;
import io.penstock.s3.settings.CredentialSource;
import io.penstock.s3.settings.Endpoint;
import io.penstock.s3.settings.OpenCredentials;
import io.penstock.s3.settings.S3Options;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * The clients of an engine, one for each combination of endpoint, region, credentials and
 * connection settings. Clients are shared between buckets, because building one takes half a second
 * and its connections can be used again.
 *
 * <p>An unused client is kept for a minute, because file systems are closed and opened again. It is
 * closed when the next client is leased or returned. No thread waits for that: the SDK closes idle
 * connections itself, so only memory remains in use.
 */
final class S3Clients {
  private static final Duration KEEP_UNUSED = Duration.ofMinutes(1);

  private final Time time;
  private final Factory factory;
  private final Map<ClientKey, Shared> clients = new HashMap<>();

  /** Builds a client. The result depends only on the key. */
  interface Factory {
    Opened build(ClientKey key);
  }

  /** The values in which clients differ. */
  record ClientKey(
      Endpoint endpoint, String region, CredentialSource credentials, S3Options.Http http) {}

  /** A client, and the credentials that no other client uses. */
  record Opened(S3Client client, OpenCredentials credentials) implements AutoCloseable {
    @Override
    public void close() {
      try (credentials) {
        client.close();
      }
    }
  }

  /** The right to use a client until the lease is closed. Closing it again has no effect. */
  final class Lease implements AutoCloseable {
    private final String region;
    private final Shared shared;
    private boolean returned;

    private Lease(String region, Shared shared) {
      this.region = region;
      this.shared = shared;
    }

    String region() {
      return region;
    }

    S3Client client() {
      return shared.opened.client();
    }

    OpenCredentials credentials() {
      return shared.opened.credentials();
    }

    @Override
    public void close() {
      giveBack(this);
    }
  }

  private static final class Shared {
    private final Opened opened;
    private int users;
    private long unusedSinceNanos;

    Shared(Opened opened) {
      this.opened = opened;
    }
  }

  S3Clients(Time time, Factory factory) {
    this.time = time;
    this.factory = factory;
  }

  /**
   * Leases a client and builds it if there is none. It is built under the lock, because a second
   * user of the same client has to wait for it anyway.
   */
  Lease lease(ClientKey key) {
    List<Shared> unused;
    Lease lease;
    synchronized (this) {
      Shared shared = clients.computeIfAbsent(key, k -> new Shared(factory.build(k)));
      shared.users++;
      lease = new Lease(key.region(), shared);
      unused = removeUnused();
    }
    unused.forEach(shared -> shared.opened.close());
    return lease;
  }

  private void giveBack(Lease lease) {
    List<Shared> unused;
    synchronized (this) {
      if (lease.returned) {
        return;
      }
      lease.returned = true;
      lease.shared.users--;
      lease.shared.unusedSinceNanos = time.nowNanos();
      unused = removeUnused();
    }
    unused.forEach(shared -> shared.opened.close());
  }

  private List<Shared> removeUnused() {
    long oldestNanos = time.nowNanos() - KEEP_UNUSED.toNanos();
    List<Shared> unused = new ArrayList<>();
    for (Iterator<Shared> all = clients.values().iterator(); all.hasNext(); ) {
      Shared shared = all.next();
      if (shared.users == 0 && shared.unusedSinceNanos < oldestNanos) {
        all.remove();
        unused.add(shared);
      }
    }
    return unused;
  }
}
