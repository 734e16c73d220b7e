/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.penstock.core.metrics.HedgeMetrics;
import io.penstock.core.metrics.StoreMetrics;
import io.penstock.core.rate.Traffic;
import io.penstock.core.store.Operation;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Shows two things in Spark's metrics: the requests of this process to its stores, and what the
 * request engine did about the answers. {@code docs/rate-control.md} documents the names.
 */
final class EngineGauges {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final MetricRegistry registry;
  private final StoreMetrics metrics;

  private EngineGauges(MetricRegistry registry, StoreMetrics metrics) {
    this.registry = registry;
    this.metrics = metrics;
  }

  static void register(MetricRegistry registry, StoreMetrics metrics) {
    EngineGauges gauges = new EngineGauges(registry, metrics);
    gauges.requests();
    gauges.rates();
    gauges.retries();
    gauges.hedges();
  }

  private void requests() {
    for (Operation operation : Operation.values()) {
      String name = "requests." + operation.name().toLowerCase(Locale.ROOT);
      add(name, () -> metrics.counts().get(operation).attempts());
    }
  }

  private void rates() {
    add("throttled.reads", () -> throttled(Traffic.READ));
    add("throttled.writes", () -> throttled(Traffic.WRITE));
    add("waits", () -> metrics.waits().times());
    add("waits.millis", () -> metrics.waits().nanos() / NANOS_PER_MILLI);
  }

  private long throttled(Traffic traffic) {
    return metrics.counts().entrySet().stream()
        .filter(count -> Traffic.of(count.getKey()) == traffic)
        .mapToLong(count -> count.getValue().throttled())
        .sum();
  }

  private void retries() {
    add("retries.failed", () -> metrics.retriesInAll().failed());
    add("retries.throttled", () -> metrics.retriesInAll().throttled());
    add("retries.millis", () -> metrics.retriesInAll().waitedNanos() / NANOS_PER_MILLI);
  }

  private void hedges() {
    HedgeMetrics hedges = metrics.hedges();
    add("hedges.started", () -> hedges.count().started());
    add("hedges.won", () -> hedges.count().won());
    add("hedges.lost", () -> hedges.count().lost());
    add("hedges.denied", () -> hedges.count().denied());
    add("cuts.deadline", () -> hedges.count().deadlineCuts());
    add("cuts.stall", () -> hedges.count().stallCuts());
  }

  private void add(String name, LongSupplier count) {
    Gauge<Long> gauge = count::getAsLong;
    registry.register(name, gauge);
  }
}
