/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sim.cluster;

import io.penstock.core.rate.Pacer.Repeat;
import java.util.SplittableRandom;

/** How long a throttled request waits before it is repeated. */
final class RepeatRule {
  private RepeatRule() {}

  /**
   * Nanoseconds to wait; negative when the request is given up.
   *
   * @param attempts that were made so far, at least 1
   */
  static long delayNanos(Repeat repeat, int attempts, SplittableRandom chance) {
    boolean backsOff = repeat == Repeat.BACK_OFF;
    if (attempts >= (backsOff ? 16 : 100)) {
      return -1;
    }
    double base = backsOff ? 0.5 : 0.05;
    double cap = backsOff ? 20 : 2;
    double seconds = Math.min(cap, Math.scalb(base, Math.min(attempts - 1, 30)));
    return (long) (1e9 * seconds * (0.5 + 0.5 * chance.nextDouble()));
  }
}
