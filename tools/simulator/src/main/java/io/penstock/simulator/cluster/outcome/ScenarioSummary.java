/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.outcome;

import io.penstock.simulator.cluster.scenario.Scenario;
import io.penstock.simulator.cluster.scenario.SendPolicy;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The mean of a scenario's runs under one policy.
 *
 * @param overIdeal time divided by the oracle's time with the same seed
 * @param throttledOfWrites share in [0, 1]; of the reads in a job that only reads
 * @param throttledOfAll share in [0, 1]
 * @param requests number of attempts
 * @param failed requests that used up their attempts
 * @param finished whether all runs reached their end
 * @param servedInStorm requests per second, divided by the rate before the storm; 0 without a storm
 * @param sleptIntoCalm seconds after the storm until the last rejected request was sent again
 */
public record ScenarioSummary(
    Scenario scenario,
    SendPolicy policy,
    double seconds,
    double overIdeal,
    double throttledOfWrites,
    double throttledOfAll,
    double requests,
    double failed,
    double jain,
    boolean finished,
    double servedInStorm,
    double sleptIntoCalm) {

  /** Summarizes runs. The ideal runs must have the same seeds in the same order. */
  public static ScenarioSummary of(
      Scenario scenario, List<ClusterOutcome> runs, List<ClusterOutcome> ideals) {
    double over = 0;
    for (int i = 0; i < runs.size(); i++) {
      over += runs.get(i).seconds() / ideals.get(i).seconds();
    }
    return new ScenarioSummary(
        scenario,
        runs.get(0).policy(),
        mean(runs, ClusterOutcome::seconds),
        over / runs.size(),
        mean(runs, ClusterOutcome::throttledShareOfMain),
        mean(runs, ClusterOutcome::throttledShare),
        mean(runs, run -> run.sent().values().stream().mapToLong(Long::longValue).sum()),
        mean(runs, ClusterOutcome::failed),
        mean(runs, ClusterOutcome::jain),
        runs.stream().allMatch(ClusterOutcome::finished),
        mean(runs, run -> run.storm().served()),
        mean(runs, run -> run.storm().sleptSeconds()));
  }

  private static double mean(List<ClusterOutcome> runs, ToDoubleFunction<ClusterOutcome> value) {
    return runs.stream().mapToDouble(value).average().orElseThrow();
  }
}
