/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.outcome;

import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * Finds the number of executors that a store can support: the fewest executors with which the job
 * is about as fast as with more of them.
 */
public final class Sizing {
  private static final double ABOUT = 1.05;
  private static final int MOST = 4_000;

  private final IntFunction<ClusterOutcome> runs;
  private final SortedMap<Integer, ClusterOutcome> tried = new TreeMap<>();

  /**
   * @param runs the job on that many executors
   */
  public Sizing(IntFunction<ClusterOutcome> runs) {
    this.runs = runs;
  }

  /** Returns the fewest executors beyond which the job gets no faster. */
  public int enough() {
    int most = 1;
    while (most < MOST && seconds(2 * most) * ABOUT < seconds(most)) {
      most *= 2;
    }
    double best = Math.min(seconds(most), seconds(2 * most));
    int tooFew = most / 2;
    int enough = seconds(most) <= best * ABOUT ? most : 2 * most;
    // A difference of a few percent of executors is not worth another run.
    while (enough - tooFew > Math.max(1, enough / 20)) {
      int middle = (tooFew + enough) / 2;
      if (seconds(middle) <= best * ABOUT) {
        enough = middle;
      } else {
        tooFew = middle;
      }
    }
    return enough;
  }

  private double seconds(int executors) {
    return tried.computeIfAbsent(executors, runs::apply).seconds();
  }

  /** Returns the simulated outcomes by number of executors. */
  public SortedMap<Integer, ClusterOutcome> tried() {
    return tried;
  }

  /**
   * Returns the share of the run's seconds in which requests were throttled or waited for permits.
   */
  public static double limitedShare(ClusterOutcome run) {
    List<Integer> throttled = run.series().throttled();
    Collection<Integer> waiting = run.series().waiting();
    int limited = 0;
    int second = 0;
    for (int waits : waiting) {
      if (waits > 0 || throttled.get(second) > 0) {
        limited++;
      }
      second++;
    }
    return second == 0 ? 0 : (double) limited / second;
  }
}
