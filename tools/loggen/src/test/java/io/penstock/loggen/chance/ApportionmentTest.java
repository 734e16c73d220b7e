/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.chance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ApportionmentTest {
  @Test
  void theLargestRemaindersGetWhatIsLeft() {
    assertThat(Apportionment.of(10, 1, 1, 1)).containsExactly(4, 3, 3);
    assertThat(Apportionment.of(7, 50, 30, 20)).containsExactly(4, 2, 1);
    assertThat(Apportionment.of(0, 5, 5)).containsExactly(0, 0);
  }

  @Test
  void theSumOfTheWeightsGivesTheWeights() {
    assertThat(Apportionment.of(12, 0, 5, 7)).containsExactly(0, 5, 7);
  }

  @Test
  void nothingIsDividedByNothing() {
    assertThatThrownBy(() -> Apportionment.of(3, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anEvenSpreadLosesNothing() {
    assertThat(Apportionment.before(0, 7, 3)).isZero();
    assertThat(Apportionment.before(1, 7, 3)).isEqualTo(2);
    assertThat(Apportionment.before(3, 7, 3)).isEqualTo(7);
    assertThat(Apportionment.before(1.0, 7)).isEqualTo(7);
  }
}
