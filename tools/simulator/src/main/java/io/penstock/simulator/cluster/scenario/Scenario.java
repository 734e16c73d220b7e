/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.scenario;

import java.time.Duration;

/**
 * One situation to simulate.
 *
 * @param limit simulated time after which a run is stopped
 */
public record Scenario(
    String name,
    String title,
    JobSpec job,
    StoreSpec store,
    TenantSpec tenant,
    RivalSpec rivals,
    Disturbances troubles,
    Duration limit) {

  /** Returns the same scenario with another number of executors. */
  public Scenario on(int executors) {
    JobSpec other = job.on(executors, job.cores());
    return new Scenario(name, title, other, store, tenant, rivals, troubles, limit);
  }
}
