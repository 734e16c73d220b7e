/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.run;

import io.penstock.s3model.Latency;
import java.util.SplittableRandom;

/** A table of a latency law, for fast sampling: the simulator draws millions of samples. */
final class LatencyTable {
  private static final int CELLS = 1 << 14;

  /** The far tail is steep, so its values are computed exactly instead of read from the table. */
  private static final int EXACT_BELOW = 64;

  private final Latency law;
  private final long[] nanos = new long[CELLS + 1];

  LatencyTable(Latency law) {
    this.law = law;
    for (int cell = 1; cell <= CELLS; cell++) {
      nanos[cell] = law.exceededBy(Math.min((double) cell / CELLS, 1 - 1e-12)).toNanos();
    }
  }

  long sample(SplittableRandom chance) {
    double survival = 1 - chance.nextDouble();
    double at = survival * CELLS;
    int cell = (int) at;
    if (cell < EXACT_BELOW) {
      return law.exceededBy(Math.min(survival, 1 - 1e-12)).toNanos();
    }
    return cell == CELLS
        ? nanos[CELLS]
        : nanos[cell] + (long) ((at - cell) * (nanos[cell + 1] - nanos[cell]));
  }
}
