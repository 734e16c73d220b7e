/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen;

import java.util.SplittableRandom;

/**
 * Gives so many throttled attempts to so many chains of attempts, exactly. Every way to divide them
 * is as likely as any other, so a chain's number is geometric, as if each attempt had been
 * throttled by chance. Only that no chain is throttled more often than clients bear, but the last.
 */
final class Urn {
  private static final int MOST = 12;

  private final SplittableRandom random;
  private long throttled;
  private long chains;

  Urn(SplittableRandom random, long throttled, long chains) {
    this.random = random;
    this.throttled = throttled;
    this.chains = chains;
  }

  /** Returns how often the next chain is throttled; the last one gets all that are left. */
  int next() {
    chains--;
    if (chains < 0) {
      throw new IllegalStateException("more chains than were announced");
    }
    int drawn = 0;
    while (throttled > 0
        && (drawn < MOST || chains == 0)
        && random.nextLong(throttled + chains) < throttled) {
      throttled--;
      drawn++;
    }
    return drawn;
  }
}
