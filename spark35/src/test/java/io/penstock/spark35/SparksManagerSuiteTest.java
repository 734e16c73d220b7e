/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark35;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.scalatest.tools.Runner;

class SparksManagerSuiteTest {
  @Test
  void theSuiteOfSpark35PassesUnchanged() {
    String suite = SparksManagerSuite.class.getName();
    assertThat(Runner.run(new String[] {"-oW", "-s", suite})).isTrue();
    assertThat(SparksManagerSuite.runs()).isEqualTo(1);
  }
}
