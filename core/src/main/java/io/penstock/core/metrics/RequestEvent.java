/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.metrics;

import io.penstock.core.caller.Origin;
import io.penstock.core.store.Operation;
import io.penstock.core.store.Range;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An event of one request: the end of an attempt, or the end of a wait for a permit.
 *
 * @param started when the attempt or the wait began, by the wall clock
 * @param key the object or prefix of the request
 * @param nanos duration of the attempt or the wait
 * @param sentBytes content bytes that the request carries, also if it failed before all were sent
 * @param receivedBytes content bytes of a successful GET; 0 for everything else
 * @param outcome of an attempt: {@code OK}, the kind of its failure, {@code INTERRUPTED} or {@code
 *     FAILED}; of a wait: {@code WAITED}
 * @param cutBecause why the attempt was cut; empty if it was not cut
 * @param address network address that the attempt was sent to; empty if unknown
 * @param beside whether the attempt ran beside a slow one, as a hedge
 * @param requestId the store's id of the request; known only for failures, otherwise empty
 * @param range the bytes that a GET asks for; empty for anything else
 * @param part the number of the part that the attempt sends; empty for anything else
 * @param client the library whose client sends the attempt; empty for Penstock's own
 * @param origin the work for which the request is made
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
    String requestId,
    Optional<Range> range,
    OptionalInt part,
    String client,
    Origin origin) {

  static final String WAITED = "WAITED";

  /**
   * Receives events on the threads that make the requests. A listener must be quick and must not
   * throw.
   */
  @FunctionalInterface
  public interface Listener {
    void happened(RequestEvent event);
  }

  /** Returns the event of a wait for a permit that ends now. */
  public static RequestEvent wait(
      Instant started, Operation operation, String bucket, String key, long nanos, Origin origin) {
    return new RequestEvent(
        started,
        operation,
        bucket,
        key,
        nanos,
        0,
        0,
        WAITED,
        "",
        "",
        false,
        "",
        Optional.empty(),
        OptionalInt.empty(),
        "",
        origin);
  }
}
