/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.endpoint.Crowd;
import io.penstock.core.retry.Repeat;
import java.util.Optional;

/**
 * Says when the requests of one process to one partition may be sent. A plain object: it reads no
 * clock and never waits. Times are nanoseconds of one monotonic clock. A request arrives, takes a
 * permit (asking again for as long as it is told to wait) or leaves, and tells how it was answered.
 * Safe for use by many threads.
 */
public interface Pacer {
  /** A request begins to wait for its permit. */
  void arrive(long nowNanos);

  /**
   * Takes a permit for one of the requests that have arrived.
   *
   * @param weight in requests as the store counts them: more than 1 for a bulk delete
   * @return 0 when the request may be sent at once; otherwise nothing was taken, and it makes sense
   *     to ask again after so many nanoseconds, or sooner when a new lease came
   */
  long take(long nowNanos, double weight);

  /** A request that arrived and was not sent gives up. */
  void leave(long nowNanos);

  /**
   * A request that was sent has its answer: any, or that it was throttled.
   *
   * @param sentNanos when it was sent
   */
  default void answered(long sentNanos, long nowNanos, double weight, boolean throttled) {
    answered(sentNanos, nowNanos, throttled ? 0 : weight, throttled ? weight : 0);
  }

  /**
   * A request that was sent has its answer, of which some of its weight was throttled.
   *
   * @param sentNanos when it was sent
   */
  void answered(long sentNanos, long nowNanos, double ok, double throttled);

  /** A request that was sent never had an answer of the store. */
  default void lost(long nowNanos) {}

  /** Returns what a throttled request has to do before it is repeated. */
  Repeat repeat();

  /** Returns those that back off; empty for policies under which each is on its own. */
  default Optional<Crowd> crowd() {
    return Optional.empty();
  }

  /** Requests a second that are allowed now; infinite when there is no cap. */
  double rate();

  /** The prefix of the partition it paces; empty for what no prefix tells apart. */
  default String partition() {
    return "";
  }

  /**
   * Returns true if nothing is lost when the pacer is forgotten: no request came since then, none
   * waits or is under way, and there is no cap now that a new pacer would not have.
   */
  default boolean isIdle(long nowNanos, long sinceNanos) {
    return true;
  }
}
