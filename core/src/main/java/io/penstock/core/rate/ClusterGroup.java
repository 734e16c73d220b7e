/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The driver's view of a bucket for one kind of traffic: what all executors together may send to
 * each partition, and how that is shared out. A plain object; the caller serializes the calls.
 */
public final class ClusterGroup {
  private final ClusterRate root;

  public ClusterGroup(RateConfig config, Traffic traffic) {
    this.root = new ClusterRate(config, traffic);
  }

  /** Takes an executor's report. */
  public void report(String executor, Report report, long nowNanos) {
    report.partitions().forEach(seen -> root.report(executor, seen, nowNanos));
  }

  /** An executor is gone. */
  public void forget(String executor) {
    root.forget(executor);
  }

  /** Decides anew, and says what each known executor may send. Called every report period. */
  public Map<String, Lease> lease(long nowNanos) {
    Map<String, Lease> leases = new LinkedHashMap<>();
    Map<String, Share> shares = root.share("", nowNanos);
    shares.forEach(
        (executor, share) ->
            leases.put(executor, new Lease(java.util.List.of(share), shares.size())));
    return leases;
  }
}
