/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.cluster;

import io.penstock.core.rate.RateConfig;
import io.penstock.core.rate.report.RateReport;
import io.penstock.core.rate.report.RateReport.Seen;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Divides the limit that a user has set for an application ({@link RateConfig#clusterMaxRate})
 * among its processes, max-min fair by the estimated demand of each. The sum of all shares is the
 * limit. A process whose reports are late may not have heard of a new share: its last share stays
 * its own until it reports again, or until Spark says that it has ended. A plain object without
 * locks.
 */
public final class ClusterCeiling {
  // An idle process needs no minimum: it has a permit in store, and its share grows as it waits.
  private final Shares shares = new Shares(0);
  private final double limit;
  private final double periodSeconds;
  private final Map<String, ClusterRate.Executor> executors = new LinkedHashMap<>();
  private Map<String, Double> given = Map.of();

  ClusterCeiling(RateConfig config) {
    this.limit = config.clusterMaxRate();
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
    if (limit == Double.POSITIVE_INFINITY) {
      executors.clear();
      return Map.of();
    }
    Map<String, ClusterRate.Executor> present = new LinkedHashMap<>();
    Map<String, Double> next = new LinkedHashMap<>();
    double left = limit;
    for (Map.Entry<String, ClusterRate.Executor> entry : executors.entrySet()) {
      Double last = given.get(entry.getKey());
      if (last != null && entry.getValue().isLate(now)) {
        next.put(entry.getKey(), last);
        left -= last;
      } else {
        present.put(entry.getKey(), entry.getValue());
      }
    }
    next.putAll(shares.divided(Math.max(0, left), present));
    given = next;
    return next;
  }
}
