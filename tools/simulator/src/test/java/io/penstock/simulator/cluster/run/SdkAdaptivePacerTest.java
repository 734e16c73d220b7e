/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SdkAdaptivePacerTest {
  private static final long TENTH = 100_000_000;

  private final SdkAdaptivePacer pacer = new SdkAdaptivePacer();

  /** Ten answers a second until then. */
  private void answers(int from, int to) {
    for (int i = from; i < to; i++) {
      pacer.answered(0, i * TENTH, 1, false);
    }
  }

  @Test
  void nothingIsCappedBeforeTheFirstThrottledAnswer() {
    answers(0, 100);

    assertThat(pacer.take(100 * TENTH, 1)).isZero();
    assertThat(pacer.rate()).isInfinite();
  }

  @Test
  void aThrottledAnswerCutsToSevenTenthsOfWhatWasSent() {
    answers(0, 100);
    pacer.answered(0, 100 * TENTH, 1, true);

    assertThat(pacer.rate()).isBetween(6.5, 8.0);
  }

  @Test
  void theRateComesBackSlowlyAndNeverAboveTwiceWhatIsSent() {
    answers(0, 100);
    pacer.answered(0, 100 * TENTH, 1, true);
    answers(101, 400);

    assertThat(pacer.rate()).isBetween(15.0, 25.0);
  }
}
