/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.pool;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import java.time.Duration;

/**
 * The threads that requests run on beside the caller's own: one pool for the process, in lanes.
 * What runs here must not wait for other work of the pool, or the pool could fill with waiters.
 */
public final class SharedPool {
  public static final ConfigKey<Integer> THREADS =
      ConfigKey.count("threads.max")
          .defaultsTo("64")
          .alsoReads("fs.s3a.threads.max")
          .doc(
              "Requests in flight at most beside the tasks' own, for the reads or the writes of one"
                  + " bucket. Of several, each has an eighth of this number, at most 8, for itself,"
                  + " and they share the rest. A request that waits for a permit or before a retry"
                  + " does not count. The first use in a process counts.");

  private static final Duration IDLE = Duration.ofSeconds(30);

  private static LanePool instance;

  private SharedPool() {}

  /** Returns the pool; the settings of the first caller size it. */
  public static synchronized LanePool get(Settings settings) {
    if (instance == null) {
      instance = new LanePool(settings.get(THREADS), IDLE);
    }
    return instance;
  }
}
