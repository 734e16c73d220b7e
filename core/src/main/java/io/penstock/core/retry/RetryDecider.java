/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreException.Retry;
import java.time.Duration;
import java.util.Optional;

/**
 * Says whether a failed attempt is worth another one, and after which wait. Exponential backoff
 * with equal jitter: half of the wait is fixed, half is chance, so that a crowd of clients spreads
 * out.
 */
final class RetryDecider {
  /** A wrong endpoint fails at once and for ever; do not keep its user waiting for minutes. */
  private static final int UNREACHABLE_ATTEMPTS_MAX = 4;

  /** S3 throttles for seconds, so a throttled request waits longer from the start. */
  private static final int THROTTLED_FACTOR = 5;

  private final RetryConfig config;

  RetryDecider(RetryConfig config) {
    this.config = config;
  }

  /**
   * The wait before the next attempt, or nothing when this failure is final.
   *
   * @param failed attempts that have failed so far, at least 1
   * @param elapsed since the first attempt started
   * @param chance from [0, 1)
   */
  Optional<Duration> next(Kind kind, int failed, Duration elapsed, double chance) {
    int attemptsMax =
        kind == Kind.UNREACHABLE
            ? Math.min(UNREACHABLE_ATTEMPTS_MAX, config.attemptsMax())
            : config.attemptsMax();
    if (kind.retry() == Retry.NEVER || failed >= attemptsMax) {
      return Optional.empty();
    }
    long base = config.delayMin().toNanos() * (kind == Kind.THROTTLED ? THROTTLED_FACTOR : 1);
    int doublings = Math.min(failed - 1, 20);
    long longest = config.delayMax().toNanos();
    long wait = base > longest >> doublings ? longest : base << doublings;
    Duration delay = Duration.ofNanos(wait / 2 + (long) (wait / 2.0 * chance));
    boolean inTime = elapsed.plus(delay).compareTo(config.durationMax()) <= 0;
    return inTime ? Optional.of(delay) : Optional.empty();
  }
}
