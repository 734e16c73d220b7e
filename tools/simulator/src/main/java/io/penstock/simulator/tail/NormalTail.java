/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.tail;

/**
 * Computes the share of the standard normal distribution above a value, from a precomputed table.
 */
final class NormalTail {
  private static final int STEPS_PER_UNIT = 512;
  private static final int REACH = 8;

  /** Logarithms of the shares. They are almost linear between two steps. */
  private static final double[] LOG_SHARES = table();

  private NormalTail() {}

  static double above(double z) {
    double place = (Math.min(REACH, Math.max(-REACH, z)) + REACH) * STEPS_PER_UNIT;
    int left = Math.min((int) place, LOG_SHARES.length - 2);
    double rest = place - left;
    return StrictMath.exp(LOG_SHARES[left] * (1 - rest) + LOG_SHARES[left + 1] * rest);
  }

  /** Integrates the density from the right with Simpson's rule. */
  private static double[] table() {
    int steps = 2 * REACH * STEPS_PER_UNIT;
    double width = 1.0 / STEPS_PER_UNIT;
    double[] shares = new double[steps + 1];
    double sum = 6.22e-16; // the share beyond 8
    for (int i = steps; i >= 0; i--) {
      shares[i] = StrictMath.log(Math.min(1, sum));
      double right = -REACH + i * width;
      double middle = 4 * density(right - width / 2);
      sum += width / 6 * (density(right) + middle + density(right - width));
    }
    return shares;
  }

  private static double density(double z) {
    return StrictMath.exp(-z * z / 2) / StrictMath.sqrt(2 * Math.PI);
  }
}
