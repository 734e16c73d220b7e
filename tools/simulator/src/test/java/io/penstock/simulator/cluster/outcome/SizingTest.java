/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.simulator.cluster.scenario.SendPolicy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SizingTest {
  private static ClusterOutcome taking(double seconds) {
    Map<Api, Long> none =
        Map.of(Api.CREATE, 0L, Api.PART, 0L, Api.COMPLETE, 0L, Api.PUT, 0L, Api.GET, 0L);
    SecondSeries series =
        new SecondSeries(
            List.of(5, 5, 5, 5),
            List.of(5, 4, 5, 5),
            List.of(0, 1, 0, 0),
            List.of(-1.0, -1.0, 3.0, -1.0),
            List.of(0, 0, 2, 0));
    return new ClusterOutcome(
        "test",
        SendPolicy.PENSTOCK,
        1,
        true,
        seconds,
        none,
        none,
        0,
        1,
        series,
        ClusterOutcome.Storm.NONE);
  }

  @Test
  void theSearchEndsWhereTheStoreIsTheLimit() {
    Sizing sizing = new Sizing(executors -> taking(Math.max(10, 1000.0 / executors)));

    // 100 executors are exactly enough; within 5 % of the time 96 are.
    assertThat(sizing.enough()).isBetween(96, 100);
    assertThat(sizing.tried()).hasSizeLessThan(16).containsKeys(1, 64, 128);
  }

  @Test
  void oneExecutorMayBeEnough() {
    assertThat(new Sizing(executors -> taking(10)).enough()).isEqualTo(1);
  }

  @Test
  void aSecondIsLimitedWhenRequestsWaitOrAreThrottled() {
    assertThat(Sizing.limitedShare(taking(4))).isEqualTo(0.5);
  }
}
