/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen;

/** Chance that can be asked for at any place, in any order. */
final class Mix {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private Mix() {}

  /** One to one: no two values give the same (Stafford's thirteenth variant of MurmurHash3). */
  static long of(long value) {
    long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** One to one in the place, for each seed and purpose. */
  static long of(long seed, int purpose, long place) {
    return of(place + of(seed + GOLDEN * (purpose + 1)));
  }

  /** Returns a number in [0, 1). */
  static double unit(long bits) {
    return (bits >>> 11) * 0x1.0p-53;
  }
}
