/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.scenario;

import java.util.List;

/**
 * A job of the published table of EMRFS's AIMD: the same 2.7 TiB written by 1,600 cores into files
 * of one size, once under backoff and once under AIMD.
 *
 * @param scenario the scenario with its files
 * @param tasks number of its tasks
 * @param backoff what was published of the run under backoff
 * @param aimd what was published of the run under AIMD
 */
public record PublishedJob(String scenario, int tasks, Run backoff, Run aimd) {
  /**
   * What was published of a run.
   *
   * @param throttled share of the writes, in [0, 1]
   * @param isFitted whether the constants of the model were chosen to match this run
   */
  public record Run(double seconds, double throttled, boolean isFitted) {}

  /** In the order of the published table. */
  public static final List<PublishedJob> ALL =
      List.of(
          new PublishedJob("row1-2", 21_568, fitted(285, 0), run(293, 0)),
          new PublishedJob("row3-4", 2_800, run(325, 0.0104), run(374, 0.0018)),
          new PublishedJob("row5-6", 2_800, run(366, 0.0662), run(472, 0.0098)),
          new PublishedJob("row7-8", 2_800, fitted(558, 0.1462), run(616, 0.0067)),
          new PublishedJob("row9-10", 2_800, run(1287, 0.2346), fitted(1138, 0.0056)));

  private static Run run(double seconds, double throttled) {
    return new Run(seconds, throttled, false);
  }

  private static Run fitted(double seconds, double throttled) {
    return new Run(seconds, throttled, true);
  }

  /**
   * Returns the scenario with the constants that explain the published times. Four of them were
   * fitted to three of the ten runs: the time before the first task and the computing of a thread
   * to the first; what a CompleteMultipartUpload costs S3, and how much unused rate S3 keeps, to
   * the share of the seventh and the time of the tenth.
   */
  public Scenario fitted() {
    return Scenarios.of(scenario)
        .with(ScenarioKey.TASKS, Integer.toString(tasks))
        .with(ScenarioKey.SETUP, "60s")
        .with(ScenarioKey.COMPUTE, "8.7M")
        .with(ScenarioKey.SPREAD, "0.03")
        .with(ScenarioKey.COMPLETE_COST, "4.2")
        .with(ScenarioKey.BURST, "20s")
        .scenario();
  }
}
