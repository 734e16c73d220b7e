/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.cluster;

import io.penstock.core.rate.report.Share;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Divides a rate among executors, max-min fair by the estimated demand of each. The numbers were
 * tuned on the simulator.
 */
public final class Shares {
  /** Allows for the noise in a count over half a second. */
  private static final double MARGIN = 1.2;

  /**
   * Share of the mean that an executor gets even if it sent nothing, so that it can begin at once.
   */
  private static final double IDLE_SHARE = 0.1;

  /**
   * While nothing is throttled, unused shares are given to other executors too. The total of all
   * shares is at most this multiple of the rate.
   */
  private static final double OVERCOMMIT_MAX = 1.3;

  /**
   * The overcommitment reaches its limit after a few seconds, about as slowly as the rate law
   * grows.
   */
  private static final double OVERCOMMIT_STEP = 0.02;

  /** Factor of the mean share that each executor gets while the rate is far from being used up. */
  private static final double LOOSE = 3;

  private final double minRate;
  private double overcommit = 1;

  Shares(double minRate) {
    this.minRate = minRate;
  }

  static Map<String, Share> unlimited(
      String prefix, Share.Mode mode, Map<String, ClusterRate.Executor> executors) {
    Map<String, Share> shares = new LinkedHashMap<>();
    Share share = new Share(prefix, mode, Double.POSITIVE_INFINITY);
    executors.keySet().forEach(name -> shares.put(name, share));
    return shares;
  }

  /**
   * @param mode one that has a rate
   * @param rate requests a second of all executors together
   * @param sent requests a second that all executors together sent
   */
  Map<String, Share> limited(
      String prefix,
      Share.Mode mode,
      double rate,
      double sent,
      boolean isQuiet,
      Map<String, ClusterRate.Executor> executors) {
    int count = Math.max(1, executors.size());
    double mean = rate / count;
    double waiting = 0;
    for (ClusterRate.Executor executor : executors.values()) {
      waiting += executor.waiting;
    }
    adaptOvercommit(rate, sent, waiting, isQuiet);
    Map<String, Share> shares = new LinkedHashMap<>();
    if (isFarFromLimit(rate, sent, waiting / count)) {
      double loose = Math.max(minRate, Math.min(rate, LOOSE * mean));
      executors.keySet().forEach(name -> shares.put(name, new Share(prefix, mode, loose)));
      return shares;
    }
    divided(rate * overcommit, mean, executors)
        .forEach(
            (name, share) -> shares.put(name, new Share(prefix, mode, Math.max(minRate, share))));
    return shares;
  }

  /**
   * Divides a rate so that the sum of all shares is the rate.
   *
   * @return requests a second by executor
   */
  Map<String, Double> divided(double rate, Map<String, ClusterRate.Executor> executors) {
    return divided(rate, rate / Math.max(1, executors.size()), executors);
  }

  /**
   * @param mean share, from which the share of an idle executor follows
   */
  private Map<String, Double> divided(
      double total, double mean, Map<String, ClusterRate.Executor> executors) {
    double wanted = 0;
    for (ClusterRate.Executor executor : executors.values()) {
      wanted += demand(executor, mean);
    }
    double level = level(total, mean, executors);
    double extra = Math.max(0, total - wanted) / Math.max(1, executors.size());
    Map<String, Double> shares = new LinkedHashMap<>();
    executors.forEach(
        (name, executor) -> shares.put(name, Math.min(level, demand(executor, mean)) + extra));
    return shares;
  }

  /**
   * Returns true if so little of the rate is used that requests wait only because of the way in
   * which the rate is divided, not because it is too low.
   */
  private static boolean isFarFromLimit(double rate, double sent, double waitingEach) {
    return (sent < 0.85 * rate && waitingEach < 0.05) || (sent < 0.7 * rate && waitingEach < 0.5);
  }

  private void adaptOvercommit(double rate, double sent, double waiting, boolean isQuiet) {
    if (!isQuiet) {
      overcommit = 1;
    } else if (waiting > 0 && sent < 0.97 * rate) {
      overcommit = Math.min(OVERCOMMIT_MAX, overcommit + OVERCOMMIT_STEP);
    } else {
      overcommit = Math.max(1, overcommit - OVERCOMMIT_STEP);
    }
  }

  private double demand(ClusterRate.Executor executor, double mean) {
    double idle = Math.max(minRate, IDLE_SHARE * mean);
    return MARGIN * executor.recentPerSecond + 2.0 * executor.waiting + idle;
  }

  /** Returns the highest share that any executor gets. Demands below it are met in full. */
  private double level(double rate, double mean, Map<String, ClusterRate.Executor> executors) {
    double[] demands =
        executors.values().stream().mapToDouble(e -> demand(e, mean)).sorted().toArray();
    double left = rate;
    for (int i = 0; i < demands.length; i++) {
      double fair = left / (demands.length - i);
      if (demands[i] >= fair) {
        return fair;
      }
      left -= demands[i];
    }
    return Double.POSITIVE_INFINITY;
  }
}
