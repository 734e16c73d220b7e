/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Requests that the engine needs itself. Only the client whose requests it carries can sign them;
 * they pass the engine as all others do.
 */
final class OwnRequests {
  private static final Logger LOG = LoggerFactory.getLogger(OwnRequests.class);
  private static final Duration EACH_MAX = Duration.ofSeconds(20);

  /** Each thread that sends a request of ours, and the object that it must be about. */
  private final Map<Thread, HttpFacts> asking = new ConcurrentHashMap<>();

  private volatile S3Client client;

  /**
   * An object.
   *
   * @param etag without quotes
   * @param age by the store's clock; empty if it does not tell
   */
  record Found(String etag, Optional<Duration> age, Optional<String> version) {}

  /** Sets the client that sends them. Before, none are possible. */
  void by(S3Client signing) {
    client = signing;
  }

  boolean arePossible() {
    return client != null;
  }

  /**
   * Refuses a request of our own that is not about what was asked for. The name that the host of an
   * access point or of a private endpoint has is no bucket's, and a client may be another store's.
   *
   * @throws SdkClientException which is not repeated
   */
  void refuseAnother(HttpFacts sent) {
    HttpFacts expected = asking.get(Thread.currentThread());
    boolean isIt =
        expected == null
            || (sent.endpoint().equals(expected.endpoint())
                && sent.bucket().equals(expected.bucket())
                && sent.key().equals(expected.key()));
    if (!isIt) {
      throw SdkClientException.create(
          "%s cannot be asked by its name: that is %s".formatted(expected.object(), sent.object()));
    }
  }

  /**
   * Returns the object; empty if there is none, or if it has no ETag.
   *
   * @throws StoreException when the store does not tell
   */
  Optional<Found> find(HttpFacts facts) throws StoreException {
    asking.put(Thread.currentThread(), facts);
    try {
      HeadObjectResponse head =
          client.headObject(
              b ->
                  b.bucket(facts.bucket())
                      .key(facts.key())
                      .overrideConfiguration(o -> o.apiCallTimeout(EACH_MAX)));
      return Optional.ofNullable(head.eTag())
          .map(etag -> etag.replace("\"", ""))
          .filter(etag -> !etag.isEmpty())
          .map(etag -> new Found(etag, age(head), Optional.ofNullable(head.versionId())));
    } catch (S3Exception e) {
      if (e.statusCode() == 404) {
        return Optional.empty();
      }
      throw failure(facts, e);
    } catch (SdkException | IllegalStateException e) { // The latter from a client that is closed.
      throw failure(facts, e);
    } finally {
      asking.remove(Thread.currentThread());
    }
  }

  private static Optional<Duration> age(HeadObjectResponse head) {
    Instant modified = head.lastModified();
    return head.sdkHttpResponse()
        .firstMatchingHeader("Date")
        .filter(date -> modified != null)
        .flatMap(OwnRequests::parsed)
        .map(now -> Duration.between(modified, now));
  }

  private static Optional<Instant> parsed(String date) {
    try {
      return Optional.of(
          ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private static StoreException failure(HttpFacts facts, RuntimeException e) {
    return new StoreException(
        Kind.CONNECTION_LOST, Operation.HEAD, facts.object(), e.getMessage() + ".", null, e);
  }

  /** Removes an upload that nobody knows. It has no parts; if it stays, it costs nothing. */
  void abortUpload(HttpFacts facts, String uploadId) {
    asking.put(Thread.currentThread(), facts);
    try {
      client.abortMultipartUpload(
          b ->
              b.bucket(facts.bucket())
                  .key(facts.key())
                  .uploadId(uploadId)
                  .overrideConfiguration(o -> o.apiCallTimeout(EACH_MAX)));
    } catch (RuntimeException e) {
      LOG.info(
          "{}: an empty upload, made by the slower of two attempts, stays: {}",
          facts.object(),
          e.getMessage());
    } finally {
      asking.remove(Thread.currentThread());
    }
  }
}
