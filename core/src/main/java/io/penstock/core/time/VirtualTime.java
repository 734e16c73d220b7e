/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.time;

import java.time.Duration;
import java.time.Instant;

/** A clock that moves only when a caller sleeps or advances it. */
public final class VirtualTime implements Time {
  private final Instant epoch;
  private long nowNanos;

  public VirtualTime(Instant epoch) {
    this.epoch = epoch;
  }

  @Override
  public synchronized long nowNanos() {
    return nowNanos;
  }

  @Override
  public synchronized Instant now() {
    return epoch.plusNanos(nowNanos);
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted before a sleep of " + duration);
    }
    if (!duration.isNegative()) {
      advance(duration);
    }
  }

  public synchronized void advance(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("time does not go back, got " + duration);
    }
    nowNanos += duration.toNanos();
  }
}
