/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster;

import java.time.Duration;

/**
 * Others who use the first prefix's partition without minding its answers.
 *
 * @param share of the partition's rate that they ask for
 * @param on how long they do
 * @param off how long they then pause; nothing means never
 */
public record TenantSpec(double share, Duration on, Duration off) {
  static final TenantSpec NONE = new TenantSpec(0, Duration.ZERO, Duration.ZERO);

  public TenantSpec {
    if (!(share >= 0 && share < 10)) {
      throw new IllegalArgumentException("a tenant's share must be from 0 to 10");
    }
  }
}
