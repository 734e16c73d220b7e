/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.tail;

import java.time.Duration;

/** Sends one hedge after a fixed delay, if a plain token bucket allows it. */
final class FixedHedge implements TailPolicy {
  private static final double BURST = 10;

  private final String name;
  private final long delayNanos;
  private final double budget;
  private double tokens = BURST;
  private long extra;

  FixedHedge(String name, Duration delay, double budget) {
    this.name = name;
    this.delayNanos = delay.toNanos();
    this.budget = budget;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long serve(Draws draws, long nowNanos) {
    tokens = Math.min(BURST, tokens + budget);
    long first = draws.nanos(0);
    if (first <= delayNanos || tokens < 1) {
      return first;
    }
    tokens--;
    extra++;
    return Math.min(first, delayNanos + draws.nanos(1));
  }

  @Override
  public long extraAttempts() {
    return extra;
  }
}
