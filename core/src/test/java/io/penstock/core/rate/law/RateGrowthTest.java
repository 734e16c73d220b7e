/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.law;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RateGrowthTest {
  private static final Offset<Double> EXACTLY = Offset.offset(1e-9);

  private final RateGrowth growth = new RateGrowth();

  /** Returns the rate after another tenth of a second. */
  private double after(double rate) {
    return growth.next(rate, 0.1);
  }

  @Test
  void aRateNearItsPeakGrowsByThreePercentASecond() {
    // 0.03 + 0.02 / 1000 + 0.01 x (0.1 / 15)^2 a second, for a tenth.
    assertThat(after(1_000)).isCloseTo(1_000 * (1 + 0.0300204444444 * 0.1), Offset.offset(1e-6));
  }

  @Test
  void aSlowRateGrowsByAFixedStep() {
    // 0.03 x 5 / 10 + 0.02 / 5 + 0.01 x (0.1 / 15)^2 a second.
    assertThat(after(5)).isCloseTo(5 * (1 + 0.0190004444444 * 0.1), EXACTLY);
  }

  @Test
  void itGrowsFasterTheLongerNothingSpeaksAgainstIt() {
    growth.next(1_000, 29.9);
    // Thirty seconds: 0.03 + 0.02 / 1000 + 0.01 x 2^2. The peak is 1,000 yet.
    assertThat(after(1_000)).isCloseTo(1_000 * (1 + 0.07002 * 0.1), EXACTLY);
  }

  @Test
  void itGrowsByHalfASecondAtMost() {
    growth.next(1_000, 1_000);
    assertThat(after(1_000)).isCloseTo(1_000 * (1 + 0.5 * 0.1), EXACTLY);
  }

  @Test
  void aStepCountsForASecondAtMost() {
    // 0.03 + 0.02 / 1000 + 0.01 x (2 / 15)^2, for one second.
    assertThat(growth.next(1_000, 2)).isCloseTo(1_000 * (1 + 0.03002 + 0.01 * 4 / 225), EXACTLY);
  }

  @Test
  void farUnderThePeakItClimbsAfterASecond() {
    growth.seen(1_000);
    double slow = growth.next(800, 0.9);
    assertThat(slow).isLessThan(830);
    // The peak has faded for 0.9 and 0.2 s of 120; 800 is under 0.85 of it: 15 % a second.
    assertThat(growth.next(800, 0.2)).isCloseTo(800 * (1 + 0.15 * 0.2), EXACTLY);
  }

  @Test
  void theClimbEndsUnderThePeak() {
    growth.seen(1_000);
    growth.next(100, 1.5);
    double peak = 1_000 * (1 - 1 / 120.0) * (1 - 1 / 120.0);
    assertThat(growth.next(0.849 * peak, 1)).isCloseTo(0.95 * peak, EXACTLY);
    // Not far under it: 3 % a second and the growth of 3.5 quiet seconds.
    double near = 0.86 * peak * (1 - 1 / 120.0);
    assertThat(growth.next(near, 1))
        .isCloseTo(near * (1.03 + 0.02 / near + 0.01 * (3.5 / 15) * (3.5 / 15)), EXACTLY);
  }

  @Test
  void aRateThatWasSetAnewBeginsSlowly() {
    growth.seen(1_000);
    growth.next(100, 60);
    growth.restart();
    assertThat(growth.next(100, 0.5)).isLessThan(102);
  }
}
