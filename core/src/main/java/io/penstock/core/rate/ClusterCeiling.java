/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.rate.RateReport.Seen;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Divides the limit that a user has set for an application ({@link RateConfig#clusterMaxRate})
 * among its processes, max-min fair by the estimated demand of each. The sum of all shares is the
 * limit. A plain object without locks.
 */
final class ClusterCeiling {
  private final RateConfig config;
  private final Shares shares;
  private final double periodSeconds;
  private final Map<String, ClusterRate.Executor> executors = new LinkedHashMap<>();

  ClusterCeiling(RateConfig config) {
    this.config = config;
    this.shares = new Shares(config.minRate());
    this.periodSeconds = config.reportPeriod().toNanos() / 1e9;
  }

  void report(String name, RateReport report, double now) {
    double ok = 0;
    double throttled = 0;
    int waiting = 0;
    for (Seen seen : report.partitions()) {
      ok += seen.ok();
      throttled += seen.throttled();
      waiting += seen.waiting();
    }
    executors
        .computeIfAbsent(name, n -> new ClusterRate.Executor())
        .report(new Seen("", ok, throttled, waiting), now, periodSeconds);
  }

  void forget(String name) {
    executors.remove(name);
  }

  /** Returns the most requests a second of each executor; of none if there is no limit. */
  Map<String, Double> divided(double now) {
    executors.values().removeIf(executor -> executor.isGone(now, config));
    return config.clusterMaxRate() == Double.POSITIVE_INFINITY
        ? Map.of()
        : shares.divided(config.clusterMaxRate(), executors);
  }
}
