/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.scalatest.tools.Runner;

class SparksManagerSuiteTest {
  @ParameterizedTest
  @ValueSource(classes = {SparksManagerSuite.class, SparksManagerSuiteUnderChecksums.class})
  void sparksOwnSuiteForCheckpointManagersPassesUnchanged(Class<?> suite) {
    Lake.spark();
    int before = SparksManagerSuite.runs();
    assertThat(Runner.run(new String[] {"-oW", "-s", suite.getName()})).isTrue();
    assertThat(SparksManagerSuite.runs() - before).isEqualTo(1);
  }
}
