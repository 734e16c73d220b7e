/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.chance;

/** A random order of the numbers below a size. The number at any place can be computed directly. */
public final class Permutation {
  private static final int ROUNDS = 4;

  private final long size;
  private final long seed;
  private final int halfBits;
  private final long halfMask;

  /** Creates the permutation of the numbers below the size. */
  public Permutation(long size, long seed) {
    if (size < 1) {
      throw new IllegalArgumentException("size must be at least 1, got " + size);
    }
    this.size = size;
    this.seed = seed;
    this.halfBits = Math.max(1, (64 - Long.numberOfLeadingZeros(size - 1) + 1) / 2);
    this.halfMask = (1L << halfBits) - 1;
  }

  /**
   * Returns the number at a place in [0, size). Each number below the size is at exactly one place.
   */
  public long at(long place) {
    long number = place;
    do {
      // Repeats the shuffle while the result is too large, at most three times on average.
      number = shuffled(number);
    } while (number >= size);
    return number;
  }

  /** Applies a Feistel network, which is a bijection for any round function. */
  private long shuffled(long number) {
    long left = number >>> halfBits;
    long right = number & halfMask;
    for (int round = 0; round < ROUNDS; round++) {
      long next = left ^ (Mix.of(seed, round, right) & halfMask);
      left = right;
      right = next;
    }
    return left << halfBits | right;
  }
}
