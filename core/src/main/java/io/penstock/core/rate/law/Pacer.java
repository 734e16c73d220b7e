/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.law;

import io.penstock.core.request.Repeat;
import io.penstock.core.request.WaitingGroup;
import java.util.Optional;

/**
 * Decides when the requests of one process to one partition may be sent. A plain object: it reads
 * no clock and never waits. Times are nanoseconds of one monotonic clock. For each request the
 * caller calls {@link #arrive}, then repeats {@link #take} until it gets the permit, or gives up
 * with {@link #leave}. After the request was sent, the caller reports its answer. Safe for use by
 * many threads.
 */
public interface Pacer {
  /** Records that a request begins to wait for its permit. */
  void arrive(long nowNanos);

  /**
   * Takes a permit for one of the requests that have arrived.
   *
   * @param weight in requests as the store counts them: more than 1 for a bulk delete
   * @return 0 if the permit was taken and the request may be sent at once; otherwise no permit was
   *     taken, and the result is the nanoseconds after which to ask again, or earlier if a new
   *     lease comes
   */
  long take(long nowNanos, double weight);

  /** Records that a request which has arrived is given up and will not be sent. */
  void leave(long nowNanos);

  /**
   * Records the answer to a request that was sent.
   *
   * @param sentNanos when it was sent
   * @param weight in requests as the store counts them
   * @param throttled whether the answer was that the request is throttled
   */
  default void answered(long sentNanos, long nowNanos, double weight, boolean throttled) {
    answered(sentNanos, nowNanos, throttled ? 0 : weight, throttled ? weight : 0);
  }

  /**
   * Records the answer to a request that was sent, if a part of its weight may be throttled.
   *
   * @param sentNanos when it was sent
   * @param ok weight that was not throttled
   * @param throttled weight that was throttled
   */
  void answered(long sentNanos, long nowNanos, double ok, double throttled);

  /** Records that a request which was sent never got an answer from the store. */
  default void lost(long nowNanos) {}

  /** Returns what a throttled request must do before it is repeated. */
  Repeat repeat();

  /**
   * Returns the group of requests that back off together; empty for policies under which each
   * request backs off alone.
   */
  default Optional<WaitingGroup> crowd() {
    return Optional.empty();
  }

  /** Returns the requests a second that are allowed now; infinite if there is no cap. */
  double rate();

  /** Returns true if it is the user's own limit that determines the rate. */
  default boolean isAtCeiling() {
    return false;
  }

  /**
   * Returns the prefix of the partition that this pacer paces; empty for the rest of the bucket.
   */
  default String partition() {
    return "";
  }

  /**
   * Returns true if the pacer can be forgotten without loss: no request has come since {@code
   * sinceNanos}, none waits or is under way, and a new pacer would have the same cap.
   */
  default boolean isIdle(long nowNanos, long sinceNanos) {
    return true;
  }
}
