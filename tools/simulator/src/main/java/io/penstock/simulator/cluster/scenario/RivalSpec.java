/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.scenario;

import java.time.Duration;

/**
 * Other clusters that compete with the observed cluster.
 *
 * @param policy of the other clusters; null for twins, which use the observed cluster's policy and
 *     stop when their job ends. Other rivals continue until the simulation ends.
 */
public record RivalSpec(int count, SendPolicy policy, int executors, int cores, Duration start) {
  static final RivalSpec NONE = new RivalSpec(0, null, 1, 1, Duration.ZERO);
}
