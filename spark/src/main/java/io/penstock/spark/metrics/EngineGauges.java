/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.metrics;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.penstock.core.metrics.MetricsSnapshot;
import java.util.function.Supplier;

/**
 * Shows the declared counters in Spark's metrics: those of a process, or of the whole application.
 * They are gauges to Spark, because the engine counts by itself.
 */
public final class EngineGauges {
  private EngineGauges() {}

  /**
   * Registers the gauges.
   *
   * @param prefix of all names; empty for the counts of this process
   */
  public static void register(
      MetricRegistry registry, String prefix, Supplier<MetricsSnapshot> metrics) {
    for (DeclaredMetric declared : DeclaredMetric.ALL) {
      declared
          .values()
          .forEach(
              (name, value) -> {
                Gauge<Long> gauge = () -> value.applyAsLong(metrics.get());
                registry.register(prefix + name, gauge);
              });
    }
  }
}
