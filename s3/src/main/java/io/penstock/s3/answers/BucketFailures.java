/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.answers;

import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.keys.KeyLimits;
import java.io.IOException;

/** The failures of requests to one bucket that S3 itself does not report, or reports otherwise. */
public record BucketFailures(String bucket) {
  /** Returns the name of an object in messages. */
  public String object(String key) {
    return "s3://" + bucket + "/" + key;
  }

  /** Returns the failure of a request that S3 would refuse, so it is not sent. */
  public StoreException invalid(Operation operation, String key, String problem) {
    return StoreException.of(Kind.INVALID_REQUEST, operation, object(key), problem);
  }

  /** Returns the failure of a request whose body cannot be read. The store is not at fault. */
  public IOException unreadable(Operation operation, String key, IOException cause) {
    return new IOException(
        "%s %s: the content to send could not be read.".formatted(operation, object(key)), cause);
  }

  /**
   * Returns the failure to throw. S3 answers 404 to an If-Match if there is no object; this becomes
   * a failed condition.
   */
  public StoreException missingForIfMatch(StoreException e, String key, Condition condition) {
    if (e.kind() != Kind.NO_SUCH_KEY || !(condition instanceof Condition.IfMatch)) {
      return e;
    }
    return new StoreException(
        Kind.PRECONDITION_FAILED,
        e.operation(),
        object(key),
        "the request requires an object with a certain ETag, but the object does not exist.",
        e.requestId().orElse(null),
        e);
  }

  /**
   * Fails if a write depends on a weak ETag, since a store never takes one as a condition.
   *
   * @throws StoreException UNSUPPORTED
   */
  public void checkCondition(Operation operation, String key, Condition condition)
      throws StoreException {
    if (condition instanceof Condition.IfMatch match && Etags.isWeak(match.etag())) {
      throw StoreException.of(
          Kind.UNSUPPORTED,
          operation,
          object(key),
          ("the version to replace has the weak ETag %s, and stores do not compare weak ETags. A"
                  + " proxy in front of the store may make ETags weak; set penstock.endpoint to the"
                  + " store itself.")
              .formatted(match.etag()));
    }
  }

  /** Fails if no object can have this key, so it cannot be written. */
  public void checkKey(Operation operation, String key) throws StoreException {
    if (!KeyLimits.canExist(key)) {
      throw invalid(
          operation,
          key,
          "a key has 1 to 1024 bytes, but this one has " + KeyLimits.lengthBytes(key) + ".");
    }
  }

  /** Fails if no object can have this key, so there is none to be read. */
  public void checkPresence(Operation operation, String key) throws StoreException {
    if (!KeyLimits.canExist(key)) {
      throw StoreException.of(
          Kind.NO_SUCH_KEY,
          operation,
          object(key),
          "no object has such a key: a key has 1 to 1024 bytes, but this one has %d."
              .formatted(KeyLimits.lengthBytes(key)));
    }
  }

  /**
   * Returns the ETag of an answer that has it in a header. An answer without it is none of an S3
   * store.
   */
  public String headerEtag(Operation operation, String key, String sent) throws StoreException {
    String etag = Answers.etag(sent);
    if (etag.isEmpty()) {
      throw withoutEtag(operation, object(key));
    }
    return etag;
  }

  /**
   * @param object the name of the object in messages
   */
  static StoreException withoutEtag(Operation operation, String object) {
    return StoreException.of(
        Kind.NOT_S3,
        operation,
        object,
        "the answer has no ETag, which Penstock needs to tell two versions of an object apart."
            + " Check that penstock.endpoint is an S3 store, and that no proxy in front of it"
            + " removes the header.");
  }

  /**
   * Returns the ETag of an answer that has it in its XML. An incomplete answer may have none; then
   * the store may have acted.
   */
  public String etag(Operation operation, String key, String sent) throws StoreException {
    String etag = Answers.etag(sent);
    if (etag.isEmpty()) {
      throw StoreException.of(
          Kind.CONNECTION_LOST, operation, object(key), "the answer carries no ETag.");
    }
    return etag;
  }
}
