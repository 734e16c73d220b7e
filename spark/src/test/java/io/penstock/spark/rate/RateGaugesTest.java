/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.rate;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.penstock.core.rate.report.GroupId;
import io.penstock.core.rate.report.Traffic;
import io.penstock.spark.metrics.DeclaredMetric;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class RateGaugesTest {
  private final MetricRegistry registry = new MetricRegistry();
  private final Map<GroupId, Map<String, Double>> rates = new ConcurrentHashMap<>();
  private final RateGauges gauges = new RateGauges(registry, DeclaredMetric.RATE, () -> rates);

  @Test
  void aGaugeShowsTheLowestRate() {
    rates.put(
        new GroupId("lake", Traffic.WRITE),
        Map.of("", 30.0, "a/", 20.0, "b/", Double.POSITIVE_INFINITY));
    gauges.refresh();
    assertThat(registry.getGauges().get("rate.lake.write").getValue()).isEqualTo(20.0);
  }

  @Test
  void gaugesOfForgottenBucketsGoAndComeBack() {
    for (int bucket = 0; bucket < 1_000; bucket++) {
      rates.put(new GroupId("b" + bucket, Traffic.READ), Map.of("", 1.0));
    }
    gauges.refresh();
    assertThat(registry.getNames()).hasSize(1_000);

    rates.clear();
    gauges.refresh();
    assertThat(registry.getNames()).isEmpty();

    rates.put(new GroupId("b7", Traffic.READ), Map.of("", 2.0));
    gauges.refresh();
    assertThat(registry.getGauges().get("rate.b7.read").getValue()).isEqualTo(2.0);
  }
}
