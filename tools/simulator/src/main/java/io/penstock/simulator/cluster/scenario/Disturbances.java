/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.scenario;

import java.time.Duration;

/**
 * The disturbances between executors and driver.
 *
 * @param lostReports share of the reports that are lost
 * @param leaseDelay time from granting a lease to its arrival
 * @param driverDownAt time at which the driver fails; negative means never
 * @param driverDownFor duration of the failure; the driver has lost all earlier state afterwards
 * @param joining number of executors that join at joinAt, with the same number of cores as the
 *     others
 * @param leaving number of executors that leave at leaveAt; their tasks are repeated
 */
public record Disturbances(
    double lostReports,
    Duration leaseDelay,
    Duration driverDownAt,
    Duration driverDownFor,
    int joining,
    Duration joinAt,
    int leaving,
    Duration leaveAt) {
  static final Disturbances NONE =
      new Disturbances(
          0,
          Duration.ofMillis(5),
          Duration.ofSeconds(-1),
          Duration.ZERO,
          0,
          Duration.ZERO,
          0,
          Duration.ZERO);
}
