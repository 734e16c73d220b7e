/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster;

import java.time.Duration;

/**
 * Other clusters beside the one that is looked at.
 *
 * @param policy of theirs; null for twins, which have the policy that is looked at and end with
 *     their job, whereas the others go on for as long as anybody looks
 */
public record RivalSpec(int count, Policy policy, int executors, int cores, Duration start) {
  static final RivalSpec NONE = new RivalSpec(0, null, 1, 1, Duration.ZERO);
}
