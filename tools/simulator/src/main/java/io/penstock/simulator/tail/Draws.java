/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.tail;

import io.penstock.s3model.Latency;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Draws the latencies of the attempts of one request. They are the same for every policy. The
 * slowness of two attempts of one request may be correlated, because they read the same object from
 * the same disks.
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
   * @param rho correlation from 0 (independent attempts) to below 1
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

  /** Moves to the next request. */
  void next() {
    request++;
    drawn = 1;
    others = null;
    common = rho == 0 ? 0 : firsts.nextGaussian();
    nanos[0] = draw(firsts);
  }

  /**
   * Returns how long an attempt takes when it is not cancelled.
   *
   * @param attempt 0 for the first
   */
  long nanos(int attempt) {
    if (attempt >= nanos.length) {
      return nanos(nanos.length - 1);
    }
    while (drawn <= attempt) {
      if (others == null) {
        // Each request has its own generator: extra draws of one policy do not change other
        // requests.
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
