/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.chance;

/** Random numbers for any place, in any order. */
public final class Mix {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private Mix() {}

  /**
   * Mixes the bits of a value. No two values give the same result (Stafford's thirteenth variant of
   * MurmurHash3).
   */
  public static long of(long value) {
    long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /**
   * Returns random bits for a place. For each seed and purpose, no two places give the same bits.
   */
  public static long of(long seed, int purpose, long place) {
    return of(place + of(seed + GOLDEN * (purpose + 1)));
  }

  /** Returns a number in [0, 1). */
  public static double unit(long bits) {
    return (bits >>> 11) * 0x1.0p-53;
  }
}
