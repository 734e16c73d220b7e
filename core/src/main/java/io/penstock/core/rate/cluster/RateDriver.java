/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.cluster;

import io.penstock.core.rate.Idle;
import io.penstock.core.rate.RateConfig;
import io.penstock.core.rate.RatePolicy;
import io.penstock.core.rate.report.GroupId;
import io.penstock.core.rate.report.Lease;
import io.penstock.core.rate.report.RateReport;
import io.penstock.core.rate.report.Traffic;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Coordinates the processes of one application: it takes their reports, and answers each with the
 * rates that the process may use. It decides once per report period, so the cost of an answer does
 * not grow with the number of executors. A bucket that is unused for ten minutes is forgotten. Safe
 * for use by many threads. Reads no clock; times are nanoseconds of one monotonic clock.
 */
public final class RateDriver {
  private final Function<String, RateConfig> configs;
  private final Map<GroupId, Cluster> clusters = new LinkedHashMap<>();
  private final Idle idle = new Idle();

  private static final class Cluster {
    final ClusterGroup group;
    final long periodNanos;
    Map<String, Lease> leases = Map.of();
    long decidedNanos = Long.MIN_VALUE;

    Cluster(RateConfig config, Traffic traffic) {
      this.group = new ClusterGroup(config, traffic);
      this.periodNanos = config.reportPeriod().toNanos();
    }
  }

  /**
   * @param configs returns the configuration of a bucket, by the bucket's name
   */
  public RateDriver(Function<String, RateConfig> configs) {
    this.configs = configs;
  }

  /**
   * Takes an executor's reports and returns its leases. There are none for buckets whose rate
   * policy is not coordinated. Called regularly: an executor loses its share of a partition that
   * its reports have left out for three times the lease.
   *
   * @param executor a name that no other process of the application has
   */
  public synchronized Map<GroupId, Lease> exchange(
      String executor, Map<GroupId, RateReport> reports, long nowNanos) {
    Map<GroupId, Lease> leases = new LinkedHashMap<>();
    reports.forEach(
        (id, report) -> {
          RateConfig config = configs.apply(id.bucket());
          if (config.policy() == RatePolicy.ADAPTIVE) {
            Cluster cluster = clusters.computeIfAbsent(id, i -> new Cluster(config, id.traffic()));
            cluster.group.report(executor, report, nowNanos);
            decideIfDue(cluster, nowNanos);
            Lease lease = cluster.leases.get(executor);
            if (lease != null) {
              leases.put(id, lease);
            }
          }
        });
    if (idle.isLookDue(nowNanos)) {
      clusters.values().removeIf(cluster -> cluster.group.isIdle(nowNanos));
    }
    return leases;
  }

  private static void decideIfDue(Cluster cluster, long nowNanos) {
    if (cluster.decidedNanos == Long.MIN_VALUE
        || nowNanos - cluster.decidedNanos >= cluster.periodNanos) {
      cluster.leases = cluster.group.lease(nowNanos);
      cluster.decidedNanos = nowNanos;
    }
  }

  /** Returns the requests a second that all executors together may send, by group and partition. */
  public synchronized Map<GroupId, Map<String, Double>> rates() {
    Map<GroupId, Map<String, Double>> rates = new LinkedHashMap<>();
    clusters.forEach((id, cluster) -> rates.put(id, cluster.group.rates()));
    return rates;
  }

  /** Removes an executor that has ended. Its share goes to the other executors at once. */
  public synchronized void forget(String executor) {
    clusters.values().forEach(cluster -> cluster.group.forget(executor));
  }
}
