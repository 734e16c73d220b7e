/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.rate;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.penstock.core.rate.report.GroupId;
import io.penstock.spark.metrics.DeclaredMetric;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Shows the allowed rates in Spark's metrics: {@code rate.BUCKET.read} and {@code .write}. If
 * partitions differ, shows the lowest rate. Shows -1 if there is no cap, because not every sink can
 * write infinity.
 */
final class RateGauges {
  private static final double NO_CAP = -1;

  private final MetricRegistry registry;
  private final DeclaredMetric family;
  private final Supplier<Map<GroupId, Map<String, Double>>> rates;
  private final Set<String> shown = new HashSet<>();
  private volatile Map<GroupId, Map<String, Double>> latest = Map.of();

  /**
   * @param family the metrics to show
   */
  RateGauges(
      MetricRegistry registry,
      DeclaredMetric family,
      Supplier<Map<GroupId, Map<String, Double>>> rates) {
    this.registry = registry;
    this.family = family;
    this.rates = rates;
  }

  /**
   * Reads the rates. Adds gauges for buckets that are new since the last call, because a bucket is
   * not known before its first use. Removes the gauges of forgotten buckets.
   */
  void refresh() {
    latest = rates.get();
    Set<String> names = new HashSet<>();
    for (GroupId id : latest.keySet()) {
      String name = name(id);
      names.add(name);
      if (shown.add(name)) {
        Gauge<Double> gauge = () -> lowest(latest.getOrDefault(id, Map.of()));
        registry.register(name, gauge);
      }
    }
    shown.removeIf(name -> !names.contains(name) && registry.remove(name));
  }

  private String name(GroupId id) {
    return family.of(id.bucket(), id.traffic());
  }

  private static double lowest(Map<String, Double> partitions) {
    return partitions.values().stream()
        .filter(rate -> rate < Double.POSITIVE_INFINITY)
        .min(Double::compare)
        .orElse(NO_CAP);
  }
}
