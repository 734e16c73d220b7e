/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.fence;

import io.penstock.core.commit.intent.Seen;
import io.penstock.core.commit.lease.Leases;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Tells which jobs are dead, from the listings of one watcher. Only time in which the watcher's own
 * listings succeeded counts as silence: while the store serves nobody, a living job cannot renew
 * its lease either.
 */
final class Silence {
  /**
   * The age of a lease at which its job is dead without a watch. A job gives up when the store has
   * been away for 15 minutes, or {@code retry.duration.max} if that is longer.
   */
  static final Duration SURELY_DEAD = Leases.DURATION.plusMinutes(16);

  /**
   * The longest time between two listings that counts. A watcher lists every two seconds; after a
   * longer time the store, or the watcher, has stopped meanwhile.
   */
  private static final Duration GAP_MAX = Duration.ofSeconds(5);

  private final Map<String, Sight> sights = new HashMap<>();
  private long lastNanos;

  /** The last sign of life of a job, and for how long it is known that none has followed. */
  private record Sight(Instant touched, Duration silent) {}

  /**
   * Takes a listing that has just succeeded.
   *
   * @param nowNanos time at which its answer came
   */
  void listed(Collection<Seen> all, long nowNanos) {
    Duration gap = sights.isEmpty() ? Duration.ZERO : Duration.ofNanos(nowNanos - lastNanos);
    Duration counted = gap.compareTo(GAP_MAX) < 0 ? gap : GAP_MAX;
    lastNanos = nowNanos;
    Map<String, Sight> now = new HashMap<>();
    for (Seen seen : all) {
      Sight before = sights.get(seen.id());
      boolean isSilent = before != null && before.touched().equals(seen.touched());
      now.put(
          seen.id(),
          new Sight(seen.touched(), isSilent ? before.silent().plus(counted) : Duration.ZERO));
    }
    sights.clear();
    sights.putAll(now);
  }

  /**
   * Returns true if the job of an intent in the last listing is dead.
   *
   * @param storeNow the store's time, if it is known
   */
  boolean isDead(Seen seen, Optional<Instant> storeNow) {
    Sight sight = sights.get(seen.id());
    if (sight != null && sight.silent().compareTo(Leases.DURATION) > 0) {
      return true;
    }
    return storeNow
        .map(now -> Duration.between(seen.touched(), now).compareTo(SURELY_DEAD) > 0)
        .orElse(false);
  }
}
