/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Requests that the engine needs itself. Only the client whose requests it carries can sign them;
 * they pass the engine as all others do.
 */
final class OwnRequests {
  private static final Logger LOG = LoggerFactory.getLogger(OwnRequests.class);
  private static final Duration EACH_MAX = Duration.ofSeconds(20);

  private volatile S3Client client;

  /** Sets the client that sends them. Before, none are possible. */
  void by(S3Client signing) {
    client = signing;
  }

  /** Returns true if this bucket can be asked by its name. That of an access point is another. */
  boolean arePossible(HttpFacts facts) {
    return client != null && !facts.endpoint().contains("accesspoint");
  }

  /**
   * Returns the ETag of the object, without quotes; empty if there is no object.
   *
   * @throws StoreException when the store does not tell
   */
  Optional<String> etag(HttpFacts facts) throws StoreException {
    try {
      String etag =
          client
              .headObject(
                  b ->
                      b.bucket(facts.bucket())
                          .key(facts.key())
                          .overrideConfiguration(o -> o.apiCallTimeout(EACH_MAX)))
              .eTag();
      return Optional.of(etag.replace("\"", ""));
    } catch (S3Exception e) {
      if (e.statusCode() == 404) {
        return Optional.empty();
      }
      throw failure(facts, e.statusCode() == 403 ? Kind.ACCESS_DENIED : Kind.CONNECTION_LOST, e);
    } catch (SdkException e) {
      throw failure(facts, Kind.CONNECTION_LOST, e);
    }
  }

  private static StoreException failure(HttpFacts facts, Kind kind, SdkException e) {
    return new StoreException(
        kind, Operation.HEAD, facts.object(), String.valueOf(e.getMessage()), null, e);
  }

  /** Removes an upload that nobody knows. It has no parts; if it stays, it costs nothing. */
  void abortUpload(HttpFacts facts, String uploadId) {
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
    }
  }
}
