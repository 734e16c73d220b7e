/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.penstock.core.metrics.MetricsSnapshot;
import io.penstock.core.rate.report.Traffic;
import io.penstock.core.store.Operation;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Shows two things in Spark's metrics: the requests of a process, or of the whole application, and
 * what the request engine did about the answers. {@code docs/rate-control.md} documents the names.
 */
final class EngineGauges {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final MetricRegistry registry;
  private final String prefix;
  private final Supplier<MetricsSnapshot> metrics;

  private EngineGauges(MetricRegistry registry, String prefix, Supplier<MetricsSnapshot> metrics) {
    this.registry = registry;
    this.prefix = prefix;
    this.metrics = metrics;
  }

  /**
   * Registers the gauges.
   *
   * @param prefix of all names; empty for the counts of this process
   */
  static void register(MetricRegistry registry, String prefix, Supplier<MetricsSnapshot> metrics) {
    EngineGauges gauges = new EngineGauges(registry, prefix, metrics);
    gauges.requests();
    gauges.rates();
    gauges.retries();
    gauges.hedges();
  }

  private void requests() {
    for (Operation operation : Operation.values()) {
      String name = "requests." + operation.name().toLowerCase(Locale.ROOT);
      add(name, now -> now.of(operation).attempts());
    }
  }

  private void rates() {
    add("throttled.reads", now -> throttled(now, Traffic.READ));
    add("throttled.writes", now -> throttled(now, Traffic.WRITE));
    add("waits", now -> now.waits().times());
    add("waits.millis", now -> now.waits().nanos() / NANOS_PER_MILLI);
  }

  private static long throttled(MetricsSnapshot now, Traffic traffic) {
    return now.counts().entrySet().stream()
        .filter(count -> Traffic.of(count.getKey()) == traffic)
        .mapToLong(count -> count.getValue().throttled())
        .sum();
  }

  private void retries() {
    add("retries.failed", now -> now.retries().failed());
    add("retries.throttled", now -> now.retries().throttled());
    add("retries.millis", now -> now.retries().waitedNanos() / NANOS_PER_MILLI);
  }

  private void hedges() {
    add("hedges.started", now -> now.hedges().started());
    add("hedges.won", now -> now.hedges().won());
    add("hedges.lost", now -> now.hedges().lost());
    add("hedges.denied", now -> now.hedges().denied());
    add("cuts.deadline", now -> now.hedges().deadlineCuts());
    add("cuts.stall", now -> now.hedges().stallCuts());
  }

  private void add(String name, ToLongFunction<MetricsSnapshot> count) {
    Gauge<Long> gauge = () -> count.applyAsLong(metrics.get());
    registry.register(prefix + name, gauge);
  }
}
