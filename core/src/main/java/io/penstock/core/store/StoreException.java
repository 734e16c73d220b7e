/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Reports a failed request: the kind of failure, the operation and the object. */
public final class StoreException extends IOException {
  /** Says whether a request may be repeated after a failure. */
  public enum Retry {
    /** The same request will fail again. */
    NEVER,
    /** The store did not act. The same request may succeed later. */
    SAFE,
    /**
     * The same request may succeed later, but the store may have acted on the failed one already.
     */
    IF_IDEMPOTENT
  }

  /** Says what happened to a request. {@link #retry} says whether it may be repeated. */
  public enum Kind {
    /** There is no object at the key. */
    NO_SUCH_KEY(Retry.NEVER),
    /** There is no such bucket at the endpoint, or no bucket may have this name. */
    NO_SUCH_BUCKET(Retry.NEVER),
    /** The upload was completed or aborted, or never existed. */
    NO_SUCH_UPLOAD(Retry.NEVER),
    /** A condition did not hold: 412, or 404 for an If-Match on a missing key. */
    PRECONDITION_FAILED(Retry.NEVER),
    /** Another conditional write to the key was under way (409); its result is not known yet. */
    CONFLICT(Retry.SAFE),
    /** The range contains no byte of the object. */
    RANGE_NOT_SATISFIABLE(Retry.NEVER),
    /** The credentials lack a permission, or the object is archived. */
    ACCESS_DENIED(Retry.NEVER),
    /** No credentials, unknown ones, a wrong secret, or a clock that is wrong. */
    BAD_CREDENTIALS(Retry.NEVER),
    /** The credentials were valid earlier. */
    EXPIRED_CREDENTIALS(Retry.NEVER),
    /** The bucket is in another region than the one that was asked. */
    WRONG_REGION(Retry.NEVER),
    /** The request is not valid; it may have been refused before it was sent. */
    INVALID_REQUEST(Retry.NEVER),
    /** The key is below that of an object, and the store keeps keys as files. */
    PARENT_IS_OBJECT(Retry.NEVER),
    /** The store does not support this operation. */
    UNSUPPORTED(Retry.NEVER),
    /**
     * The answer is none of an S3 store although its status is a success: a web page, broken XML,
     * or an answer that lacks what everything rests on, such as the ETag. Repeating it would only
     * bring the same answer. The store may have acted on the request.
     */
    NOT_S3(Retry.NEVER),
    /** The store asks for fewer requests (503 or 429). */
    THROTTLED(Retry.SAFE),
    /**
     * No request was sent: unknown host, connection refused, TLS refused, or no free connection.
     */
    UNREACHABLE(Retry.SAFE),
    /**
     * The connection broke, timed out or was cut after the request may have been sent, or the
     * answer is incomplete.
     */
    CONNECTION_LOST(Retry.IF_IDEMPOTENT),
    /** The store failed (5xx), or its answer makes no sense. */
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
  private final boolean isOfName;

  /**
   * @param object the object as {@code s3://bucket/key}
   * @param problem what went wrong and what to change, one or more sentences
   * @param requestId the store's id of the request, or null
   */
  public StoreException(
      Kind kind,
      Operation operation,
      String object,
      String problem,
      String requestId,
      Throwable cause) {
    this(kind, operation, object, problem, requestId, null, false, cause);
  }

  private StoreException(
      Kind kind,
      Operation operation,
      String object,
      String problem,
      String requestId,
      Duration retryAfter,
      boolean isOfName,
      Throwable cause) {
    super(message(operation, object, problem, requestId), cause);
    this.kind = kind;
    this.operation = operation;
    this.object = object;
    this.problem = problem;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    this.isOfName = isOfName;
  }

  public static StoreException of(Kind kind, Operation operation, String object, String problem) {
    return new StoreException(kind, operation, object, problem, null, null);
  }

  /**
   * Returns the same failure with one more sentence; the layer that knows what was tried adds it.
   */
  public StoreException because(String sentence) {
    return new StoreException(
        kind, operation, object, problem + " " + sentence, requestId, retryAfter, isOfName, this);
  }

  /**
   * Returns the same failure as a new exception. A thread that waited for the failed request on
   * another thread throws it, so its own stack is visible, too.
   */
  public StoreException rethrown() {
    return new StoreException(
        kind, operation, object, problem, requestId, retryAfter, isOfName, this);
  }

  /** Returns the same failure with the time that the store asks clients to wait. */
  public StoreException retryAfter(Duration wait) {
    return new StoreException(
        kind, operation, object, problem, requestId, wait, isOfName, getCause());
  }

  /** Returns the same failure, of a name that the store can never have. */
  public StoreException ofName() {
    return new StoreException(
        kind, operation, object, problem, requestId, retryAfter, true, getCause());
  }

  /** Returns what went wrong, without the name of the object. */
  public String problem() {
    return problem;
  }

  /**
   * Returns true if the store has said that it can never have an object of this name. To read such
   * an object fails with NO_SUCH_KEY, to write it with INVALID_REQUEST.
   */
  public boolean isOfName() {
    return isOfName;
  }

  /**
   * Returns the time that the store asks clients to wait before the next attempt, if it gave one.
   */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  public Kind kind() {
    return kind;
  }

  public Operation operation() {
    return operation;
  }

  /** Returns the store's id of the failed request; the store's support asks for it. */
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
