/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.metrics;

import io.penstock.core.store.Operation;
import java.time.Instant;

/**
 * An event on the way of one request: an attempt ended, or a wait for a permit did.
 *
 * @param started when the attempt or the wait began, by the wall clock
 * @param key the object or prefix it is about
 * @param outcome of an attempt: {@code OK}, the kind of its failure, {@code INTERRUPTED} or {@code
 *     FAILED}; of a wait: {@code WAITED}
 * @param cutBecause why it was cut short; empty when it was not
 * @param address of the network that was asked; empty when unknown
 * @param beside whether it ran beside a slow attempt, as a hedge
 * @param requestId the store's name for it, known of failures only; empty otherwise
 */
public record RequestEvent(
    Instant started,
    Operation operation,
    String bucket,
    String key,
    long nanos,
    long sentBytes,
    long receivedBytes,
    String outcome,
    String cutBecause,
    String address,
    boolean beside,
    String requestId) {

  static final String WAITED = "WAITED";

  /** Receives events on the threads that make the requests: it must be quick and must not throw. */
  @FunctionalInterface
  public interface Listener {
    void happened(RequestEvent event);
  }

  /** A wait for a permit, over now. */
  public static RequestEvent wait(
      Instant started, Operation operation, String bucket, String key, long nanos) {
    return new RequestEvent(
        started, operation, bucket, key, nanos, 0, 0, WAITED, "", "", false, "");
  }
}
