/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.chance;

import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Creates unique write ids from 128 random bits each. Safe for many threads. */
public final class WriteIds implements Supplier<String> {
  private final SplittableRandom chance;

  /**
   * @param chance used by this object alone, because a SplittableRandom is not safe for threads;
   *     ids have 32 lower-case hexadecimal digits
   */
  public WriteIds(SplittableRandom chance) {
    this.chance = chance;
  }

  @Override
  public synchronized String get() {
    return "%016x%016x".formatted(chance.nextLong(), chance.nextLong());
  }
}
