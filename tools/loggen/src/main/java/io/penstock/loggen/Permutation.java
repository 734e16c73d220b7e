/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen;

/** The numbers below a size in a random order, which can be asked for at any place. */
final class Permutation {
  private static final int ROUNDS = 4;

  private final long size;
  private final long seed;
  private final int halfBits;
  private final long halfMask;

  Permutation(long size, long seed) {
    if (size < 1) {
      throw new IllegalArgumentException("size must be at least 1, got " + size);
    }
    this.size = size;
    this.seed = seed;
    this.halfBits = Math.max(1, (64 - Long.numberOfLeadingZeros(size - 1) + 1) / 2);
    this.halfMask = (1L << halfBits) - 1;
  }

  /** Returns what stands at a place in [0, size); each number below the size stands at one. */
  long at(long place) {
    long number = place;
    do {
      // Walks on along its cycle, at most three times on average, when it comes out too large.
      number = shuffled(number);
    } while (number >= size);
    return number;
  }

  /** A Feistel network: one to one whatever its rounds do. */
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
