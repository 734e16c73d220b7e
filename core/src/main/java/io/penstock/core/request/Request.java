/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.request;

import io.penstock.core.store.Operation;
import java.util.List;

/**
 * One request to a store, as the {@link Layer}s of a chain see it. It says what the request is
 * about and how it may be repeated, but not how it is sent: that is its {@link Exchange}.
 *
 * @param key the object or prefix that the request is about
 * @param keys all keys of a bulk delete; empty for other requests
 * @param sentBytes bytes of content that the request sends
 * @param weightBytes bytes of content, as far as they decide how long the request takes: those that
 *     it sends, asks for, or lets the store put together
 * @param hasDeadline whether an attempt may be cut because it takes long. False where the store
 *     needs a time that the request does not show, or where a cut does harm
 * @param doubling whether a second attempt may be made beside a slow one
 * @param resolution settles what the answer to a repeated request does not say
 */
public record Request<T>(
    Operation operation,
    String bucket,
    String key,
    List<String> keys,
    long sentBytes,
    long weightBytes,
    boolean hasDeadline,
    Doubling doubling,
    Resolution<T> resolution) {

  /** Says whether two attempts of a request may be under way at the same time. */
  public enum Doubling {
    /** The second arrival could have another effect than the first. */
    NEVER,
    /** The request has no effect, or one that its resolution recognizes. */
    ANY_TIME,
    /**
     * Both attempts have the same effect. But the store may keep the effect of either, so the
     * answer must be {@link Resolution#isCertain certain}.
     */
    IF_CERTAIN,
    /**
     * As {@link #IF_CERTAIN}, and only beside an attempt that is very slow: a second attempt may
     * leave traces. A PUT may take effect after its key was deleted, and a PUT that is cut in the
     * middle makes MinIO show its key as a directory.
     */
    LATE_IF_CERTAIN
  }

  /** Returns a request without content, which is not doubled and needs no resolution. */
  public static <T> Request<T> of(Operation operation, String bucket, String key) {
    return new Request<>(
        operation, bucket, key, List.of(), 0, 0, true, Doubling.NEVER, Resolution.none());
  }

  /** Returns the same request, which sends these bytes and takes as long as they need. */
  public Request<T> sending(long bytes) {
    return new Request<>(
        operation, bucket, key, keys, bytes, bytes, hasDeadline, doubling, resolution);
  }

  /** Returns the same request, which takes as long as these bytes need. */
  public Request<T> weighing(long bytes) {
    return new Request<>(
        operation, bucket, key, keys, sentBytes, bytes, hasDeadline, doubling, resolution);
  }

  /** Returns the same request, of which no attempt is cut because it takes long. */
  public Request<T> withoutDeadline() {
    return new Request<>(
        operation, bucket, key, keys, sentBytes, weightBytes, false, doubling, resolution);
  }

  /** Returns the same request, which may be doubled like this. */
  public Request<T> doubled(Doubling how) {
    return new Request<>(
        operation, bucket, key, keys, sentBytes, weightBytes, hasDeadline, how, resolution);
  }

  /** Returns the same request with this resolution. */
  public Request<T> settledBy(Resolution<T> other) {
    return new Request<>(
        operation, bucket, key, keys, sentBytes, weightBytes, hasDeadline, doubling, other);
  }

  /** Returns the number of requests that the store counts for it: a bulk delete is many. */
  public int permits() {
    return Math.max(1, keys.size());
  }

  /** Returns the name of the object, for messages. */
  public String object() {
    return "s3://" + bucket + "/" + key;
  }
}
