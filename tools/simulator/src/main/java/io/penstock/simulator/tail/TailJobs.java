/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.tail;

import java.util.Arrays;

/** Computes the effect of slow requests on larger work: stages of tasks, and large uploads. */
final class TailJobs {
  private static final int REQUESTS_A_TASK = 60;
  private static final int TASKS_A_STAGE = 1_600;
  private static final int PARTS = 512;
  private static final int PARTS_IN_FLIGHT = 8;

  private final long[] stage = new long[TASKS_A_STAGE];
  private int tasks;
  private long taskNanos;
  private int taskRequests;
  private double medianSum;
  private double slowestSum;
  private int stages;

  private final long[] lanes = new long[PARTS_IN_FLIGHT];
  private int parts;
  private final TailHistogram uploads = new TailHistogram();
  private int uploadsDone;

  void add(long nanos) {
    taskNanos += nanos;
    if (++taskRequests == REQUESTS_A_TASK) {
      endTask();
    }
    int free = 0;
    for (int lane = 1; lane < lanes.length; lane++) {
      free = lanes[lane] < lanes[free] ? lane : free;
    }
    lanes[free] += nanos;
    if (++parts == PARTS) {
      uploads.add(Arrays.stream(lanes).max().orElse(0));
      uploadsDone++;
      Arrays.fill(lanes, 0);
      parts = 0;
    }
  }

  private void endTask() {
    stage[tasks++] = taskNanos;
    taskNanos = 0;
    taskRequests = 0;
    if (tasks == TASKS_A_STAGE) {
      Arrays.sort(stage);
      medianSum += stage[TASKS_A_STAGE / 2] / 1e9;
      slowestSum += stage[TASKS_A_STAGE - 1] / 1e9;
      stages++;
      tasks = 0;
    }
  }

  /**
   * Returns the mean of the stages' medians; NaN when there were too few requests for one stage.
   */
  double medianTaskSeconds() {
    return medianSum / stages;
  }

  double slowestTaskSeconds() {
    return slowestSum / stages;
  }

  double uploadSeconds(double quantile) {
    return uploadsDone == 0 ? Double.NaN : uploads.seconds(quantile);
  }
}
