/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.latency.LatencyModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EndpointsTest {
  private final Endpoints endpoints = new Endpoints();

  @Test
  void aThousandBucketsOfOneEndpointShareOneModel() {
    Set<LatencyModel> models =
        IntStream.range(0, 1_000)
            .mapToObj(bucket -> endpoints.of("http://minio:9000").latencies(0.98))
            .collect(Collectors.toSet());
    assertThat(models).hasSize(1);
    assertThat(endpoints.size()).isEqualTo(1);
  }

  @Test
  void endpointsAndQuantilesAreToldApart() {
    LatencyModel model = endpoints.of("http://minio:9000").latencies(0.98);
    assertThat(endpoints.of("http://minio:9001").latencies(0.98)).isNotSameAs(model);
    assertThat(endpoints.of("http://minio:9000").latencies(0.99)).isNotSameAs(model);
  }

  @Test
  void storesWithoutAnEndpointShareNothing() {
    assertThat(endpoints.of("")).isNotSameAs(endpoints.of(""));
    assertThat(endpoints.size()).isZero();
  }

  @Test
  void aStateThatIsHeldStaysTheOnlyOneOfItsName() {
    EndpointState held = endpoints.of("http://first");
    for (int i = 0; i < 1_000; i++) {
      endpoints.of("http://other-" + i);
    }
    assertThat(endpoints.of("http://first")).isSameAs(held);
  }

  @Test
  void endpointsThatNobodyUsesAreForgotten() {
    for (int i = 0; i < 10_000; i++) {
      endpoints.of("http://other-" + i);
    }
    System.gc();
    endpoints.of("http://last");
    assertThat(endpoints.size()).isLessThanOrEqualTo(17);
  }

  @Test
  void manyQuantilesKeepOnlyTheModelsUsedLast() {
    EndpointState state = endpoints.of("http://first");
    List<LatencyModel> models = new ArrayList<>();
    for (int i = 1; i < 1_000; i++) {
      models.add(state.latencies(i / 1_000.0));
    }
    assertThat(state.latencies(0.999)).isSameAs(models.get(998));
    assertThat(state.latencies(0.001)).isNotSameAs(models.get(0));
  }
}
