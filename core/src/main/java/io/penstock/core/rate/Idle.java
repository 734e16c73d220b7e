/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Decides when unused state is forgotten, and when the next check for unused state is due. A cap
 * that has no effect for five minutes ends, so state that is unused for twice as long has no cap.
 * Safe for use by many threads.
 */
public final class Idle {
  /** Twice the five minutes after which a cap without effect ends. */
  static final long NANOS = Duration.ofMinutes(10).toNanos();

  public static final double SECONDS = NANOS / 1e9;

  private static final long LOOK_NANOS = Duration.ofMinutes(1).toNanos();

  private final AtomicLong lookedNanos = new AtomicLong();

  /** Returns true for one caller a minute; this caller must check for unused state. */
  public boolean isLookDue(long nowNanos) {
    long looked = lookedNanos.get();
    return nowNanos - looked >= LOOK_NANOS && lookedNanos.compareAndSet(looked, nowNanos);
  }
}
