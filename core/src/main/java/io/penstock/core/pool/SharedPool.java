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
              "Requests in flight at most beside the tasks' own; one that waits does not count. The"
                  + " reads and the writes of each bucket have an eighth of it, at most 8, for"
                  + " themselves. The first use counts.");

  private static final Duration IDLE = Duration.ofSeconds(30);

  private SharedPool() {}

  /** Returns a pool of the size that the settings say. */
  public static LanePool of(Settings settings) {
    return new LanePool(settings.get(THREADS), IDLE);
  }
}
