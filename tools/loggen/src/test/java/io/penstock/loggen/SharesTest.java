/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SharesTest {
  @Test
  void theLargestRemaindersGetWhatIsLeft() {
    assertThat(Shares.of(10, 1, 1, 1)).containsExactly(4, 3, 3);
    assertThat(Shares.of(7, 50, 30, 20)).containsExactly(4, 2, 1);
    assertThat(Shares.of(0, 5, 5)).containsExactly(0, 0);
  }

  @Test
  void theSumOfTheWeightsGivesTheWeights() {
    assertThat(Shares.of(12, 0, 5, 7)).containsExactly(0, 5, 7);
  }

  @Test
  void nothingIsDividedByNothing() {
    assertThatThrownBy(() -> Shares.of(3, 0, 0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anEvenSpreadLosesNothing() {
    assertThat(Shares.before(0, 7, 3)).isZero();
    assertThat(Shares.before(1, 7, 3)).isEqualTo(2);
    assertThat(Shares.before(3, 7, 3)).isEqualTo(7);
    assertThat(Shares.before(1.0, 7)).isEqualTo(7);
  }
}
