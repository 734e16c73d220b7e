/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.penstock.core.metrics.StoreMetrics;
import io.penstock.core.store.Operation;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What operators see in Spark's metrics; the names are an interface. */
class EngineGaugesTest {
  private final MetricRegistry registry = new MetricRegistry();
  private final StoreMetrics metrics = new StoreMetrics();

  @Test
  void whatTheEngineDidIsShownUnderItsDocumentedNames() {
    EngineGauges.register(registry, "", metrics::snapshot);
    metrics.waited(2_000_000);
    metrics.retried(Operation.PUT, true, 30_000_000);
    metrics.retried(Operation.PUT, false, 4_000_000);
    metrics.retried(Operation.GET, true, 500_000);
    metrics.hedges().won();
    metrics.hedges().lost();
    metrics.hedges().lost();
    metrics.hedges().denied();
    metrics.hedges().cutAtDeadline();
    metrics.hedges().cutStalled();

    Map<String, Object> shown = shown();
    shown.keySet().removeIf(name -> name.startsWith("requests.") || name.startsWith("busy."));
    assertThat(shown)
        .containsExactly(
            Map.entry("clients.penstock", 0L),
            Map.entry("clients.s3a", 0L),
            Map.entry("clients.s3fileio", 0L),
            Map.entry("clients.sdk", 0L),
            Map.entry("cuts.deadline", 1L),
            Map.entry("cuts.stall", 1L),
            Map.entry("failed", 0L),
            Map.entry("hedges.denied", 1L),
            Map.entry("hedges.lost", 2L),
            Map.entry("hedges.started", 3L),
            Map.entry("hedges.won", 1L),
            Map.entry("misses", 0L),
            Map.entry("received.bytes", 0L),
            Map.entry("retries.failed", 1L),
            Map.entry("retries.millis", 34L),
            Map.entry("retries.throttled", 2L),
            Map.entry("sent.bytes", 0L),
            Map.entry("throttled.reads", 0L),
            Map.entry("throttled.writes", 0L),
            Map.entry("waits", 1L),
            Map.entry("waits.millis", 2L));
  }

  @Test
  void everyOperationHasACount() {
    EngineGauges.register(registry, "", metrics::snapshot);

    assertThat(shown()).containsKeys("requests.get", "requests.put", "requests.upload_part");
  }

  private Map<String, Object> shown() {
    Map<String, Object> values = new TreeMap<>();
    registry.getGauges().forEach((name, gauge) -> values.put(name, gauge.getValue()));
    return values;
  }
}
