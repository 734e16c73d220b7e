/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.tail;

import io.penstock.s3model.Latency;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The latencies that the attempts of one request would have, the same for every policy. The
 * slowness of two attempts of a request may be correlated: they read the same object from the same
 * disks.
 */
final class Draws {
  private static final int ATTEMPTS_KEPT = 16;
  private static final long SEED_STEP = 0x9E3779B97F4A7C15L;

  private final Latency law;
  private final double rho;
  private final long seed;
  private final SplittableRandom firsts;
  private final long[] nanos = new long[ATTEMPTS_KEPT];
  private int drawn;
  private double common;
  private SplittableRandom others;
  private long request;

  /**
   * @param rho 0, every attempt on its own, to below 1
   */
  Draws(Latency law, double rho, long seed) {
    if (!(rho >= 0 && rho < 1)) {
      throw new IllegalArgumentException("rho must be in [0, 1), got " + rho);
    }
    this.law = law;
    this.rho = rho;
    this.seed = seed;
    this.firsts = new SplittableRandom(seed);
  }

  /** Goes on to the next request. */
  void next() {
    request++;
    drawn = 1;
    others = null;
    common = rho == 0 ? 0 : firsts.nextGaussian();
    nanos[0] = draw(firsts);
  }

  /**
   * Returns how long an attempt takes when nobody cuts it.
   *
   * @param attempt 0 for the first
   */
  long nanos(int attempt) {
    if (attempt >= nanos.length) {
      return nanos(nanos.length - 1);
    }
    while (drawn <= attempt) {
      if (others == null) {
        // A generator of its own for each request: a policy that draws more moves no other one.
        others = new SplittableRandom(seed + SEED_STEP * request);
        others.nextLong();
      }
      nanos[drawn++] = draw(others);
    }
    return nanos[attempt];
  }

  private long draw(SplittableRandom chance) {
    double survival =
        rho == 0
            ? 1 - chance.nextDouble()
            : NormalTail.above(
                Math.sqrt(rho) * common + Math.sqrt(1 - rho) * chance.nextGaussian());
    return law.exceededBy(survival).toNanos();
  }

  @Override
  public String toString() {
    return "request " + request + ": " + Arrays.toString(Arrays.copyOf(nanos, drawn));
  }
}
