/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartNumbersTest {
  private static List<Integer> numbersOf(PartNumbers numbers) {
    List<Integer> all = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      for (int attempt = 0; attempt < 4; attempt++) {
        all.add(numbers.inRound(round).ofAttempt(attempt));
      }
    }
    return all;
  }

  @Test
  void attemptsOfTwoRoundsHaveNumbersOfTheirOwn() {
    assertThat(numbersOf(PartNumbering.SPACED.of(0)))
        .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4);
    assertThat(numbersOf(PartNumbering.SPACED.of(1249)))
        .containsExactly(9993, 9994, 9995, 9996, 9997, 9998, 9999, 10_000, 9993, 9994, 9995, 9996);
  }

  @Test
  void aPartWithoutSpareNumbersAlwaysHasTheSame() {
    assertThat(numbersOf(PartNumbering.CONSECUTIVE.of(6))).containsOnly(7);
    assertThat(PartNumbering.CONSECUTIVE.of(9999).first()).isEqualTo(10_000);
    assertThat(PartNumbers.only(7).areSpared()).isFalse();
  }

  @Test
  void numbersBeyondTheStoresAreRefused() {
    assertThatThrownBy(() -> PartNumbering.SPACED.of(1250))
        .hasMessage("part numbers are 1 to 10000, got 8 from 10001 on");
    assertThatThrownBy(() -> PartNumbers.only(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
