/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster;

import io.penstock.core.rate.Traffic;
import java.util.Map;

/**
 * The end of a run.
 *
 * @param finished false when the run was given up at the scenario's limit
 * @param seconds that the job took; with several identical clusters their mean
 * @param sent attempts of the first cluster
 * @param throttled of the attempts sent
 * @param failed requests that ran out of attempts
 * @param jain fairness among all clusters, by what they were served while all of them worked: 1
 *     when all had the same
 * @param storm what a storm did; zeros without one
 */
public record ClusterOutcome(
    String scenario,
    Policy policy,
    long seed,
    boolean finished,
    double seconds,
    Map<Api, Long> sent,
    Map<Api, Long> throttled,
    long failed,
    double jain,
    Series series,
    Storm storm) {

  /**
   * The effect of a storm on the first cluster.
   *
   * @param served requests a second, over what was served a second before it
   * @param sleptSeconds into the calm, of the request that slept longest
   */
  public record Storm(double served, double sleptSeconds) {
    static final Storm NONE = new Storm(0, 0);
  }

  /** Returns a number in [0, 1]; the published tables count writes only. */
  public double throttledShareOfWrites() {
    return share(true);
  }

  /** Returns a number in [0, 1]. */
  public double throttledShare() {
    return share(false);
  }

  /**
   * Returns the share of writes when there are any, as published; of reads in a job that only
   * reads.
   */
  public double throttledShareOfMain() {
    return sent.get(Api.CREATE) > 0 ? share(true) : share(false);
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
