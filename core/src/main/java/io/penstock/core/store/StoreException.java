/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** A request that failed: what kind of failure, of which operation, on which object. */
public final class StoreException extends IOException {
  /** The kinds of failures, by what to do about them. */
  public enum Retry {
    /** The same request will fail again. */
    NEVER,
    /** The store did not act; the same request may go well later. */
    SAFE,
    /** The same request may go well later, but the store may already have acted on this one. */
    IF_IDEMPOTENT
  }

  public enum Kind {
    NO_SUCH_KEY(Retry.NEVER),
    NO_SUCH_BUCKET(Retry.NEVER),
    NO_SUCH_UPLOAD(Retry.NEVER),
    /** A condition did not hold: 412, or 404 for an If-Match on a missing key. */
    PRECONDITION_FAILED(Retry.NEVER),
    /** Another conditional write to the key was under way (409); who won is not known yet. */
    CONFLICT(Retry.SAFE),
    RANGE_NOT_SATISFIABLE(Retry.NEVER),
    ACCESS_DENIED(Retry.NEVER),
    /** No credentials, unknown ones, or a wrong secret. */
    BAD_CREDENTIALS(Retry.NEVER),
    EXPIRED_CREDENTIALS(Retry.NEVER),
    WRONG_REGION(Retry.NEVER),
    INVALID_REQUEST(Retry.NEVER),
    /** The store does not know this call. */
    UNSUPPORTED(Retry.NEVER),
    THROTTLED(Retry.SAFE),
    /** The endpoint could not be reached: no address, refused, TLS refused. */
    UNREACHABLE(Retry.SAFE),
    /** The connection broke, or took too long, after the request may have been sent. */
    CONNECTION_LOST(Retry.IF_IDEMPOTENT),
    SERVER_ERROR(Retry.IF_IDEMPOTENT);

    private final Retry retry;

    Kind(Retry retry) {
      this.retry = retry;
    }

    public Retry retry() {
      return retry;
    }
  }

  private static final long serialVersionUID = 1L;

  private final Kind kind;
  private final Operation operation;
  private final String object;
  private final String problem;
  private final String requestId;
  private final Duration retryAfter;

  /**
   * @param object as {@code s3://bucket/key}
   * @param problem what went wrong and what to change, one or more sentences
   * @param requestId of the store, or null
   */
  public StoreException(
      Kind kind,
      Operation operation,
      String object,
      String problem,
      String requestId,
      Throwable cause) {
    this(kind, operation, object, problem, requestId, null, cause);
  }

  private StoreException(
      Kind kind,
      Operation operation,
      String object,
      String problem,
      String requestId,
      Duration retryAfter,
      Throwable cause) {
    super(message(operation, object, problem, requestId), cause);
    this.kind = kind;
    this.operation = operation;
    this.object = object;
    this.problem = problem;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }

  public static StoreException of(Kind kind, Operation operation, String object, String problem) {
    return new StoreException(kind, operation, object, problem, null, null);
  }

  /** The same failure with one more sentence, for the layer that knows what was tried. */
  public StoreException because(String sentence) {
    return new StoreException(
        kind, operation, object, problem + " " + sentence, requestId, retryAfter, this);
  }

  /** The same failure, thrown anew by the thread that waited for the one that met it. */
  public StoreException rethrown() {
    return new StoreException(kind, operation, object, problem, requestId, retryAfter, this);
  }

  /** The same failure, of a store that wants to be left alone for a while. */
  public StoreException retryAfter(Duration wait) {
    return new StoreException(kind, operation, object, problem, requestId, wait, getCause());
  }

  /** Returns how long the store wants to be left alone, if it said. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  public Kind kind() {
    return kind;
  }

  public Operation operation() {
    return operation;
  }

  /** The store's name for the request that failed, for its support. */
  public Optional<String> requestId() {
    return Optional.ofNullable(requestId);
  }

  private static String message(
      Operation operation, String object, String problem, String requestId) {
    String text = operation + " " + object + ": " + problem;
    return requestId == null || requestId.isEmpty()
        ? text
        : text + " Request id " + requestId + ".";
  }
}
