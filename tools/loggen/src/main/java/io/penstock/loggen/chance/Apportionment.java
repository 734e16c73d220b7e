/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.chance;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Divides whole numbers so that the parts add up to the total. */
public final class Apportionment {
  private Apportionment() {}

  /**
   * Divides the total in proportion to the weights, by the largest remainders. The parts are whole
   * numbers and add up to the total. If the total equals the sum of the weights, the parts equal
   * the weights.
   */
  public static long[] of(long total, long... weights) {
    long sum = Arrays.stream(weights).sum();
    if (total < 0 || sum <= 0) {
      throw new IllegalArgumentException(
          "cannot divide " + total + " by weights " + Arrays.toString(weights));
    }
    long[] shares = new long[weights.length];
    long[] remainders = new long[weights.length];
    long left = total;
    for (int i = 0; i < weights.length; i++) {
      long product = Math.multiplyExact(total, weights[i]);
      shares[i] = product / sum;
      remainders[i] = product % sum;
      left -= shares[i];
    }
    int[] largestFirst =
        IntStream.range(0, weights.length)
            .boxed()
            .sorted(Comparator.comparingLong((Integer i) -> -remainders[i]))
            .mapToInt(Integer::intValue)
            .toArray();
    for (int i = 0; i < left; i++) {
      shares[largestFirst[i]]++;
    }
    return shares;
  }

  /**
   * Returns how many of the total lie before this place when the total is spread evenly over all
   * places.
   */
  public static long before(long place, long total, long of) {
    return Math.multiplyExact(place, total) / of;
  }

  /** Returns how many of the total lie before this share. */
  public static long before(double share, long total) {
    return share >= 1 ? total : Math.round(share * total);
  }
}
