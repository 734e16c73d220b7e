/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.store.Operation;
import io.penstock.s3.S3Clients.ClientKey;
import io.penstock.s3.S3Clients.Lease;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * One bucket's client, which finds the bucket's region by itself when the user has not set one: the
 * first refusal that names another region moves it there, once.
 */
final class RegionalClient implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RegionalClient.class);

  private final String bucket;
  private final S3Options options;
  private final S3Clients clients;
  private final SdkFailures failures;
  private Lease first;
  private Lease moved;
  private boolean closed;

  RegionalClient(String bucket, S3Options options, S3Clients clients) {
    this.bucket = bucket;
    this.options = options;
    this.clients = clients;
    this.failures = new SdkFailures(bucket, options);
    String region =
        options
            .region()
            .or(() -> Regions.known(options.endpoint(), bucket))
            .orElse(options.firstRegion());
    this.first = clients.lease(keyFor(region));
  }

  /**
   * Sends one request, and once more if it went to the wrong region: such a refusal is certain to
   * have had no effect.
   *
   * @param key for messages: the key, or the prefix of a listing
   */
  <T> T call(Operation operation, String key, Function<S3Client, T> request) throws IOException {
    Lease used = current();
    try {
      return request.apply(used.client());
    } catch (RuntimeException e) {
      Optional<Lease> better = elsewhere(used, e);
      if (better.isEmpty()) {
        throw failures.translate(operation, key, used.region(), e);
      }
      return again(better.get(), operation, key, request);
    }
  }

  private <T> T again(Lease lease, Operation operation, String key, Function<S3Client, T> request)
      throws IOException {
    try {
      return request.apply(lease.client());
    } catch (RuntimeException e) {
      throw failures.translate(operation, key, lease.region(), e);
    }
  }

  SdkFailures failures() {
    return failures;
  }

  private synchronized Lease current() throws IOException {
    if (closed) {
      throw new IOException("the store of s3://" + bucket + " is closed");
    }
    return moved == null ? first : moved;
  }

  private Optional<Lease> elsewhere(Lease used, RuntimeException e) {
    if (options.region().isPresent() || !(e instanceof SdkException refusal)) {
      return Optional.empty();
    }
    return Regions.namedBy(refusal, used.region()).flatMap(region -> moveTo(region, used));
  }

  /** Another thread may have moved already. The first client stays: requests may be using it. */
  private synchronized Optional<Lease> moveTo(String region, Lease used) {
    if (closed || used == moved) {
      return Optional.empty();
    }
    if (moved == null) {
      log.info(
          "s3://{} is in {}: going there. Set penstock.bucket.{}.region={} to save the detour.",
          bucket,
          region,
          bucket,
          region);
      moved = clients.lease(keyFor(region));
      Regions.remember(options.endpoint(), bucket, region);
    }
    return Optional.of(moved);
  }

  private ClientKey keyFor(String region) {
    return new ClientKey(options.endpoint(), region, options.credentials(), options.http());
  }

  @Override
  public synchronized void close() {
    closed = true;
    first.close();
    if (moved != null) {
      moved.close();
    }
  }
}
