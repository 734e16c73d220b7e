/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.whatif;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Computes how long a stage waits for its slowest task if each task sends its requests one after
 * the other. The result is the median of several simulated runs that draw from the measured
 * latencies.
 */
record StageWall(int tasks, int requestsPerTask) {
  // A judgement: the number is odd, so the median is one of the runs. It is large enough that one
  // lucky run does not change the result.
  private static final int RUNS = 31;
  // Any seed will do, but it is fixed because the same logs must give the same answer.
  private static final long SEED = 5;
  // The sample is large enough for one request in a million. Rarer requests do not change a median.
  private static final int SAMPLE = 1 << 20;
  // The default of the SDK in hadoop-aws 3.4.2. The last attempt has no timeout.
  private static final int ATTEMPTS = 5;

  StageWall {
    if (tasks < 1 || requestsPerTask < 1) {
      throw new IllegalArgumentException("a stage has tasks and they have requests");
    }
  }

  /** Returns what {@link #seconds} draws from. */
  static float[] sample(LatencyHistogram latencies) {
    return latencies.sample(SAMPLE);
  }

  /** Returns the seconds that the stage takes. A limit of 0 means no timeout. */
  double seconds(float[] sample, int limitSeconds) {
    SplittableRandom chance = new SplittableRandom(SEED);
    double[] slowest = new double[RUNS];
    for (int run = 0; run < RUNS; run++) {
      for (int task = 0; task < tasks; task++) {
        slowest[run] = Math.max(slowest[run], task(sample, limitSeconds, chance));
      }
    }
    Arrays.sort(slowest);
    return slowest[RUNS / 2];
  }

  private double task(float[] sample, int limitSeconds, SplittableRandom chance) {
    double seconds = 0;
    for (int request = 0; request < requestsPerTask; request++) {
      float drawn = sample[chance.nextInt(SAMPLE)];
      for (int n = 1; n < ATTEMPTS && limitSeconds > 0 && drawn > limitSeconds; n++) {
        seconds += limitSeconds;
        drawn = sample[chance.nextInt(SAMPLE)];
      }
      seconds += drawn;
    }
    return seconds;
  }
}
