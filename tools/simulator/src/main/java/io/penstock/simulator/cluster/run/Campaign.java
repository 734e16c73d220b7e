/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.run;

import io.penstock.simulator.cluster.outcome.ClusterOutcome;
import io.penstock.simulator.cluster.scenario.Scenario;
import io.penstock.simulator.cluster.scenario.SendPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Simulates many runs in parallel. The results do not depend on the number of threads. */
public final class Campaign {
  private Campaign() {}

  /** One run of the campaign. */
  public record Run(Scenario scenario, SendPolicy policy, long seed) {
    public ClusterOutcome outcome() {
      return new Simulation(scenario, policy, seed).run();
    }
  }

  /** Receives the number of remaining runs after each run. May be called from any thread. */
  public interface Progress {
    void left(int runs);
  }

  /**
   * Returns the outcomes in the order of the runs. Waits for all runs.
   *
   * @throws IllegalStateException when a run failed; no further run begins then, and those under
   *     way end by themselves
   * @throws InterruptedException when interrupted; no further run begins then, either
   */
  public static List<ClusterOutcome> run(List<Run> runs, int threads, Progress progress)
      throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      AtomicInteger left = new AtomicInteger(runs.size());
      List<Future<ClusterOutcome>> futures = new ArrayList<>();
      for (Run run : runs) {
        futures.add(
            pool.submit(
                () -> {
                  ClusterOutcome outcome = run.outcome();
                  progress.left(left.decrementAndGet());
                  return outcome;
                }));
      }
      List<ClusterOutcome> outcomes = new ArrayList<>();
      for (Future<ClusterOutcome> future : futures) {
        outcomes.add(future.get());
      }
      return outcomes;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a simulation failed: " + e.getCause(), e);
    } finally {
      pool.shutdownNow();
    }
  }
}
