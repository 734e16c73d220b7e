/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster;

import java.time.Duration;

/**
 * The troubles between executors and driver.
 *
 * @param lostReports share of the reports that never arrive
 * @param leaseDelay how long a lease travels
 * @param driverDownAt when the driver is gone; negative means never
 * @param driverDownFor how long, after which it knows nothing of before
 * @param joining executors that come at joinAt, as many cores as the others
 * @param leaving executors that go at leaveAt; their tasks are done anew
 */
public record Troubles(
    double lostReports,
    Duration leaseDelay,
    Duration driverDownAt,
    Duration driverDownFor,
    int joining,
    Duration joinAt,
    int leaving,
    Duration leaveAt) {
  static final Troubles NONE =
      new Troubles(
          0,
          Duration.ofMillis(5),
          Duration.ofSeconds(-1),
          Duration.ZERO,
          0,
          Duration.ZERO,
          0,
          Duration.ZERO);
}
