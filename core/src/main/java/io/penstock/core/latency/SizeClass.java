/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.latency;

/**
 * Groups requests that carry about the same amount of content: by powers of four, from 16 KiB to 4
 * GiB.
 */
final class SizeClass {
  /** Below 16 KiB, the round trip determines the duration, not the size. */
  private static final int SMALLEST_BITS = 14;

  static final int COUNT = 11;

  private SizeClass() {}

  static int of(long bytes) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, bytes));
    return Math.min(COUNT - 1, Math.max(0, (bits - SMALLEST_BITS + 1) / 2));
  }
}
