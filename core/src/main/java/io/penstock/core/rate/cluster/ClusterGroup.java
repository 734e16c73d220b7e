/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.cluster;

import io.penstock.core.rate.PrefixCounts;
import io.penstock.core.rate.RateConfig;
import io.penstock.core.rate.report.Lease;
import io.penstock.core.rate.report.RateReport;
import io.penstock.core.rate.report.RateReport.Seen;
import io.penstock.core.rate.report.Share;
import io.penstock.core.rate.report.Traffic;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The driver's view of a bucket for one kind of traffic: its partitions, the rate that all
 * executors together may send to each partition, and each executor's share of that rate. A plain
 * object without locks; the caller must not call it from two threads at once. Reads no clock; times
 * are nanoseconds of one monotonic clock.
 */
public final class ClusterGroup {
  private final RateConfig config;
  private final Traffic traffic;
  private final PrefixCounts counts = new PrefixCounts();
  private final Map<String, ClusterRate> partitions = new TreeMap<>();
  private final ClusterCeiling ceiling;
  private double reviewed;

  public ClusterGroup(RateConfig config, Traffic traffic) {
    this.config = config;
    this.traffic = traffic;
    this.ceiling = new ClusterCeiling(config);
    partitions.put("", new ClusterRate(config, traffic));
  }

  /** Takes an executor's report. */
  public void report(String executor, RateReport report, long nowNanos) {
    for (Seen seen : report.partitions()) {
      // An executor may still report a partition that has meanwhile been merged into the rest.
      partitions
          .getOrDefault(seen.prefix(), partitions.get(""))
          .report(executor, seen, nowNanos / 1e9);
    }
    ceiling.report(executor, report, nowNanos / 1e9);
    report.prefixes().forEach(seen -> counts.add(seen.prefix(), seen.ok(), seen.throttled()));
  }

  /** Removes an executor that has ended. */
  public void forget(String executor) {
    partitions.values().forEach(partition -> partition.forget(executor));
    ceiling.forget(executor);
  }

  /**
   * Decides again, and returns the shares of each known executor. Called once every report period.
   *
   * @return the leases by executor
   */
  public Map<String, Lease> lease(long nowNanos) {
    double now = nowNanos / 1e9;
    if (now - reviewed >= PrefixCounts.REVIEW_SECONDS) {
      reviewed = now;
      review();
      forgetIdle(now);
    }
    Map<String, List<Share>> shares = new LinkedHashMap<>();
    partitions.forEach(
        (prefix, partition) ->
            partition
                .share(prefix, now)
                .forEach(
                    (executor, share) ->
                        shares.computeIfAbsent(executor, e -> new ArrayList<>()).add(share)));
    Map<String, Double> most = ceiling.divided(now);
    Map<String, Lease> leases = new LinkedHashMap<>();
    shares.forEach(
        (executor, list) ->
            leases.put(
                executor,
                new Lease(
                    list, shares.size(), most.getOrDefault(executor, Double.POSITIVE_INFINITY))));
    return leases;
  }

  /**
   * Removes idle partitions if the rest of the bucket has no cap. While the rest has a cap, they
   * are kept: their prefixes are exempt from that cap.
   */
  private void forgetIdle(double now) {
    if (partitions.get("").rate() == Double.POSITIVE_INFINITY) {
      partitions
          .entrySet()
          .removeIf(entry -> !entry.getKey().isEmpty() && entry.getValue().isIdle(now));
    }
  }

  /** Returns true if the bucket has not been used for ten minutes, and had no cap in that time. */
  boolean isIdle(long nowNanos) {
    return partitions.values().stream().allMatch(partition -> partition.isIdle(nowNanos / 1e9));
  }

  private void review() {
    List<String> known = partitions.keySet().stream().filter(p -> !p.isEmpty()).toList();
    PrefixCounts.Verdict verdict = counts.review(known);
    verdict.merge().forEach(partitions::remove);
    for (String prefix : verdict.split()) {
      if (partitions.size() <= PrefixCounts.PARTITIONS_MAX) {
        partitions.put(prefix, new ClusterRate(config, traffic).joinedBy(partitions.get("")));
      }
    }
  }

  /**
   * Returns the requests a second that each partition allows, by prefix; infinite where there is no
   * cap.
   */
  public Map<String, Double> rates() {
    Map<String, Double> rates = new TreeMap<>();
    partitions.forEach((prefix, partition) -> rates.put(prefix, partition.rate()));
    return rates;
  }
}
