/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.columns;

/**
 * Writes small numbers in Parquet's hybrid of runs and packed bits: as one run if all are equal,
 * otherwise as packed bits.
 */
final class Runs {
  /** The most bytes of the header of a run. */
  static final int MAX_HEADER = 5;

  private Runs() {}

  /** Returns the number of bits that numbers up to the given one need. */
  static int width(int largest) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(largest);
  }

  /** Appends numbers, each of at most the given number of bits, with the width before them. */
  static void write(int[] numbers, int count, int width, GrowingBytes page) {
    int groups = (count + Byte.SIZE - 1) / Byte.SIZE;
    page.reserve(1 + MAX_HEADER + Math.max(Integer.BYTES, groups * width) + Long.BYTES);
    page.add(width);
    if (areEqual(numbers, count)) {
      page.addVarint((long) count << 1);
      int value = count == 0 ? 0 : numbers[0];
      for (int bits = 0; bits < width; bits += Byte.SIZE) {
        page.add(value >>> bits);
      }
      return;
    }
    page.addVarint(((long) groups << 1) | 1);
    int end = page.size() + groups * width;
    long pending = 0;
    int bits = 0;
    for (int i = 0; i < count; i++) {
      pending |= (long) numbers[i] << bits;
      bits += width;
      if (bits >= Integer.SIZE) {
        page.addInt((int) pending);
        pending >>>= Integer.SIZE;
        bits -= Integer.SIZE;
      }
    }
    while (page.size() < end) {
      page.add((int) pending);
      pending >>>= Byte.SIZE;
    }
  }

  private static boolean areEqual(int[] numbers, int count) {
    for (int i = 1; i < count; i++) {
      if (numbers[i] != numbers[0]) {
        return false;
      }
    }
    return true;
  }
}
