/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.rate.Pacer.Repeat;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RepeatRuleTest {
  private final SplittableRandom chance = new SplittableRandom(1);

  @ParameterizedTest
  @CsvSource({
    "BACK_OFF, 1, 250, 500",
    "BACK_OFF, 3, 1000, 2000",
    "BACK_OFF, 15, 10000, 20000",
    "SHORTLY, 1, 25, 50",
    "SHORTLY, 99, 1000, 2000",
  })
  void halfOfTheDelayIsFixedAndHalfIsChance(Repeat repeat, int attempts, long least, long most) {
    for (int i = 0; i < 1_000; i++) {
      assertThat(RepeatRule.delayNanos(repeat, attempts, chance))
          .isBetween(least * 1_000_000, most * 1_000_000);
    }
  }

  @ParameterizedTest
  @CsvSource({"BACK_OFF, 16", "SHORTLY, 100"})
  void itIsGivenUpAfterTheLastAttempt(Repeat repeat, int attempts) {
    assertThat(RepeatRule.delayNanos(repeat, attempts, chance)).isNegative();
  }
}
