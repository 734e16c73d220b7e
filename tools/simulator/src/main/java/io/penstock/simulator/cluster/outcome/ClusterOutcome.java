/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.outcome;

import io.penstock.core.rate.report.Traffic;
import io.penstock.simulator.cluster.scenario.SendPolicy;
import java.util.Map;

/**
 * The result of a run.
 *
 * @param finished false when the run was stopped at the scenario's time limit
 * @param seconds duration of the job; with several identical clusters their mean
 * @param sent attempts of the first cluster
 * @param throttled number of these attempts that were throttled
 * @param failed requests that used up their attempts
 * @param jain Jain's fairness index of all clusters, {@code (sum of x)^2 / (n * sum of x^2)}, where
 *     x is the number of requests served while all of them worked: 1 when all were served equally,
 *     {@code 1/n} when only one was (R. Jain, D. Chiu, W. Hawe, DEC TR-301, 1984)
 * @param storm effect of a storm; zeros without a storm
 */
public record ClusterOutcome(
    String scenario,
    SendPolicy policy,
    long seed,
    boolean finished,
    double seconds,
    Map<Api, Long> sent,
    Map<Api, Long> throttled,
    long failed,
    double jain,
    SecondSeries series,
    Storm storm) {

  /**
   * The effect of a storm on the first cluster.
   *
   * @param served requests served per second during the storm, divided by the rate before the storm
   * @param sleptSeconds time after the storm until the last request that was rejected in the storm
   *     was sent again
   */
  public record Storm(double served, double sleptSeconds) {
    /** The outcome of a run without a storm. */
    public static final Storm NONE = new Storm(0, 0);
  }

  /** Returns the throttled share of writes, in [0, 1]. The published tables count writes only. */
  public double throttledShareOfWrites() {
    return share(true);
  }

  /** Returns the throttled share of all requests, in [0, 1]. */
  public double throttledShare() {
    return share(false);
  }

  /**
   * Returns the throttled share of writes, as published. In a job that only reads, returns the
   * share of reads.
   */
  public double throttledShareOfMain() {
    return sent.get(Api.CREATE) + sent.get(Api.PUT) > 0 ? share(true) : share(false);
  }

  private double share(boolean onlyWrites) {
    long all = 0;
    long bad = 0;
    for (Api api : Api.values()) {
      if (!onlyWrites || api.traffic() == Traffic.WRITE) {
        all += sent.get(api);
        bad += throttled.get(api);
      }
    }
    return all == 0 ? 0 : (double) bad / all;
  }
}
