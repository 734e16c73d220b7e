/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.store.Operation;
import io.penstock.s3.S3Clients.ClientKey;
import io.penstock.s3.S3Clients.Lease;
import io.penstock.s3.answers.SdkFailures;
import io.penstock.s3.settings.Regions;
import io.penstock.s3.settings.S3Options;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * The client of one bucket. If the user has set no region, it finds the bucket's region: the first
 * refusal that names another region moves the client there, once. It also repeats requests after
 * two other correctable faults: credentials that expired early, and a wrong clock of this machine.
 */
final class RegionalClient implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RegionalClient.class);

  /** The corrections after which a refused request may succeed. */
  private enum Cure {
    REGION,
    CLOCK,
    CREDENTIALS
  }

  private final String bucket;
  private final S3Options options;
  private final S3Clients clients;
  private final BucketRegions regions;
  private final SdkFailures failures;
  private Lease first;
  private Lease moved;
  private boolean closed;

  RegionalClient(String bucket, S3Options options, S3Clients clients, BucketRegions regions) {
    this.bucket = bucket;
    this.options = options;
    this.clients = clients;
    this.regions = regions;
    this.failures = new SdkFailures(bucket, options);
    this.first = clients.lease(keyFor(regions.of(bucket, options)));
  }

  /**
   * Sends one request. It is repeated at most once for each of these causes: it went to the wrong
   * region, it had a wrong time, or its credentials could be renewed. Such a refusal is certain to
   * have had no effect.
   *
   * @param key for messages: the key, or the prefix of a listing
   */
  <T> T call(Operation operation, String key, Function<S3Client, T> request) throws IOException {
    Lease used = current();
    Set<Cure> tried = EnumSet.noneOf(Cure.class);
    while (true) {
      int credentials = used.credentials().generation();
      try {
        return request.apply(used.client());
      } catch (RuntimeException e) {
        Optional<Lease> better = cured(used, credentials, tried, e);
        if (better.isEmpty()) {
          throw failures.translate(operation, key, used.region(), e);
        }
        used = better.get();
      }
    }
  }

  /**
   * Returns the client for another try if the request may succeed then; otherwise empty. Each
   * correction is tried at most once per request.
   */
  private Optional<Lease> cured(Lease used, int credentials, Set<Cure> tried, RuntimeException e) {
    Optional<Lease> elsewhere = elsewhere(used, e);
    if (elsewhere.isPresent() && tried.add(Cure.REGION)) {
      return elsewhere;
    }
    boolean cured =
        (isClockSetRight(e) && tried.add(Cure.CLOCK))
            || (SdkFailures.isExpired(e)
                && tried.add(Cure.CREDENTIALS)
                && areRenewed(used, credentials));
    return cured ? Optional.of(used) : Optional.empty();
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

  /**
   * Returns true if the refusal is due to a wrong clock. The SDK's retry stage then uses the
   * store's time for all later requests of the client, even if the SDK itself makes no retry.
   */
  private boolean isClockSetRight(RuntimeException e) {
    if (!(e instanceof SdkServiceException refusal) || !refusal.isClockSkewException()) {
      return false;
    }
    // Logged once for each client and change of the clock, so it does not fill the log.
    log.warn(
        "This machine's clock differs from the time of {}. From now on requests are signed with the"
            + " store's time. Set the clock by NTP.",
        options.endpoint().shown());
    return true;
  }

  private boolean areRenewed(Lease used, int refused) {
    try {
      boolean renewed = used.credentials().renew(refused);
      if (renewed) {
        log.info("s3://{}: credentials expired early and were renewed", bucket);
      }
      return renewed;
    } catch (RuntimeException noOthers) {
      // The refusal is more useful to the user; this line says why there was no second try.
      log.warn(
          "s3://{}: expired credentials could not be renewed: {}", bucket, noOthers.getMessage());
      return false;
    }
  }

  private Optional<Lease> elsewhere(Lease used, RuntimeException e) {
    if (options.region().isPresent() || !(e instanceof SdkException refusal)) {
      return Optional.empty();
    }
    return Regions.namedBy(refusal, used.region()).flatMap(region -> moveTo(region, used));
  }

  /**
   * Moves the client to the region, unless another thread has already done so. The first client
   * stays open because other requests may be using it.
   */
  private synchronized Optional<Lease> moveTo(String region, Lease used) {
    if (closed || used == moved) {
      return Optional.empty();
    }
    if (moved == null) {
      log.info(
          "s3://{} is in {}, and requests go there from now on. Set penstock.bucket.{}.region={} to"
              + " avoid the redirect of the first request.",
          bucket,
          region,
          bucket,
          region);
      moved = clients.lease(keyFor(region));
      regions.remember(bucket, options, region);
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
