/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.whatif;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Computes how long a stage waits for its slowest task, when each task sends so many requests one
 * after the other: the median of a few draws from the latencies that were seen.
 */
record StageWall(int tasks, int requestsPerTask) {
  // A judgement: odd, so that one run is the median, and enough that a lucky run does not move it.
  private static final int RUNS = 31;
  // Any will do: the same logs must give the same answer.
  private static final long SEED = 5;
  // One in a million is seen; what is rarer than that does not move a median.
  private static final int SAMPLE = 1 << 20;
  // The default of the SDK in hadoop-aws 3.4.2; after so many attempts the last one is waited for.
  private static final int ATTEMPTS = 5;

  StageWall {
    if (tasks < 1 || requestsPerTask < 1) {
      throw new IllegalArgumentException("a stage has tasks and they have requests");
    }
  }

  /** Seconds; a limit of 0 is none. */
  double seconds(Latencies latencies, int limitSeconds) {
    float[] sample = latencies.sample(SAMPLE);
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
