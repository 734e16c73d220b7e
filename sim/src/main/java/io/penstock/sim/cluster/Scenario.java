/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sim.cluster;

import java.time.Duration;

/**
 * One situation to simulate.
 *
 * @param limit of the simulated time, after which a run is given up
 */
public record Scenario(
    String name,
    String title,
    JobSpec job,
    StoreSpec store,
    TenantSpec tenant,
    RivalSpec rivals,
    Troubles troubles,
    Duration limit) {}
