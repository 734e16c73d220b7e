/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.scenario;

import java.time.Duration;

/**
 * A period in which the store rejects a share of all requests, even when the load is low.
 *
 * @param at time at which the storm begins
 * @param lasts duration of the storm; zero means never
 * @param share of the requests that is rejected, from 0 to 1
 */
public record StormSpec(Duration at, Duration lasts, double share) {
  public StormSpec {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("a storm's share must be from 0 to 1");
    }
  }

  /** Returns true if the scenario has a storm. */
  public boolean comes() {
    return !lasts.isZero();
  }

  /** Returns true if the storm rages at this time. */
  public boolean isOn(long nowNanos) {
    return nowNanos >= at.toNanos() && nowNanos < endNanos();
  }

  /** Returns the time at which the storm ends. */
  public long endNanos() {
    return at.plus(lasts).toNanos();
  }
}
