/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.simulator.cluster.outcome.ClusterOutcome;
import io.penstock.simulator.cluster.scenario.Scenarios;
import io.penstock.simulator.cluster.scenario.SendPolicy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The model against what was published of five real jobs under backoff, with one set of constants.
 */
class PublishedRowsTest {
  @ParameterizedTest
  @CsvSource({"row9-10, 0.2346", "row7-8, 0.1462", "row5-6, 0.0662"})
  void backoffIsThrottledAsItWasForReal(String row, double published) {
    double simulated = run(row).throttledShareOfWrites();

    assertThat(simulated).isCloseTo(published, within(0.15 * published));
  }

  @ParameterizedTest
  @CsvSource({"row3-4, 0, 0.015", "row1-2, 0, 0"})
  void whereLittleWasThrottledLittleIs(String row, double least, double most) {
    assertThat(run(row).throttledShareOfWrites()).isBetween(least, most);
  }

  private static ClusterOutcome run(String row) {
    return new Simulation(Scenarios.of(row).scenario(), SendPolicy.BACKOFF, 1).run();
  }
}
