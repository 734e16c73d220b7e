/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.scenario;

import java.time.Duration;

/**
 * Other tenants that load the first prefix's partition and ignore throttling.
 *
 * @param share of the partition's rate that they request
 * @param on duration of each active period
 * @param off duration of the pause after each active period; zero means no pause
 */
public record TenantSpec(double share, Duration on, Duration off) {
  /** No other tenant. */
  public static final TenantSpec NONE = new TenantSpec(0, Duration.ZERO, Duration.ZERO);

  public TenantSpec {
    if (!(share >= 0 && share < 10)) {
      throw new IllegalArgumentException("a tenant's share must be from 0 to 10");
    }
  }
}
