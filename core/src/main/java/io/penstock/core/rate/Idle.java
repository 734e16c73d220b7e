/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time after which state that nobody uses is forgotten, and when to look for it. A cap that is
 * not felt lasts five minutes, so what is idle for twice as long has none. Safe for use by many
 * threads.
 */
final class Idle {
  /** Twice the five minutes that a cap lasts when it is not felt. */
  static final long NANOS = Duration.ofMinutes(10).toNanos();

  static final double SECONDS = NANOS / 1e9;

  private static final long LOOK_NANOS = Duration.ofMinutes(1).toNanos();

  private final AtomicLong lookedNanos = new AtomicLong();

  /** Returns true for one caller a minute, who is to look for what is idle. */
  boolean isLookDue(long nowNanos) {
    long looked = lookedNanos.get();
    return nowNanos - looked >= LOOK_NANOS && lookedNanos.compareAndSet(looked, nowNanos);
  }
}
