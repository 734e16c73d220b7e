/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster;

import java.time.Duration;

/**
 * A time in which the store rejects a share of whatever it is sent, however little that is.
 *
 * @param at when it begins
 * @param lasts how long; zero means never
 * @param share of the requests, from 0 to 1
 */
public record StormSpec(Duration at, Duration lasts, double share) {
  public StormSpec {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("a storm's share must be from 0 to 1");
    }
  }

  /** Returns true if there is one. */
  public boolean comes() {
    return !lasts.isZero();
  }

  boolean isOn(long nowNanos) {
    return nowNanos >= at.toNanos() && nowNanos < endNanos();
  }

  long endNanos() {
    return at.plus(lasts).toNanos();
  }
}
