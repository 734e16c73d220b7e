/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.rate.Report.Seen;
import java.util.LinkedHashMap;
import java.util.Map;

/** What all executors together may send to one partition. */
final class ClusterRate {
  private final Map<String, Seen> executors = new LinkedHashMap<>();

  ClusterRate(RateConfig config, Traffic traffic) {}

  void report(String executor, Seen seen, long nowNanos) {
    executors.put(executor, seen);
  }

  void forget(String executor) {
    executors.remove(executor);
  }

  Map<String, Share> share(String prefix, long nowNanos) {
    Map<String, Share> shares = new LinkedHashMap<>();
    executors
        .keySet()
        .forEach(
            executor ->
                shares.put(executor, new Share(prefix, Share.Mode.OPEN, Double.POSITIVE_INFINITY)));
    return shares;
  }
}
