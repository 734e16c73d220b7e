/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.chance;

import java.util.SplittableRandom;

/**
 * Distributes a number of throttled attempts exactly among a number of chains of attempts. Every
 * distribution is equally likely. The number of a chain is therefore geometric, as if each attempt
 * had been throttled at random. A chain is never throttled more often than clients tolerate, except
 * for the last chain.
 */
public final class ThrottleSampler {
  private static final int MOST = 12;

  private final SplittableRandom random;
  private long throttled;
  private long chains;

  /** Creates an urn with this number of throttled attempts for this number of chains. */
  public ThrottleSampler(SplittableRandom random, long throttled, long chains) {
    this.random = random;
    this.throttled = throttled;
    this.chains = chains;
  }

  /**
   * Returns how often the next chain is throttled. The last chain gets all remaining throttled
   * attempts.
   */
  public int next() {
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
