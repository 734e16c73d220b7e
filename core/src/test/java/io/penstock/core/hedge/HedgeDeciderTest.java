/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.hedge;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.hedge.HedgeDecider.Answer;
import io.penstock.core.latency.LatencyModel;
import io.penstock.core.store.Operation;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HedgeDeciderTest {
  private static final long MS = 1_000_000;
  private static final Operation PART = Operation.UPLOAD_PART;

  private final LatencyModel model = new LatencyModel(0.98);
  private final HedgeDecider decider = decider(0.02);

  private HedgeDecider decider(double budget) {
    return new HedgeDecider(new HedgeConfig(true, 0.98, budget, Duration.ofMillis(50)), model);
  }

  private void learn(int samples, long factor) {
    for (int i = 0; i < samples; i++) {
      model.took(PART, 0, (i % 100 + 1) * factor * MS, 0);
    }
  }

  @Test
  void theFirstRequestsAreHedgedAfterASecond() {
    assertThat(decider.begin(PART, 0)).isEqualTo(1_000 * MS);
  }

  @Test
  void aLargePartIsGivenTheTimeThatAnOrdinaryLinkTakes() {
    assertThat(decider.begin(PART, 32 << 20)).isEqualTo(5_000 * MS);
  }

  @Test
  void aLittleKnownKindIsHedgedAtThreeTimesItsP90() {
    learn(320, 10);
    assertThat(decider.begin(PART, 0)).isBetween(2_670 * MS, 2_730 * MS);
    assertThat(decider.begin(Operation.GET, 0)).isEqualTo(1_000 * MS);
  }

  @Test
  void aReadOfALittleKnownKindIsHedgedSooner() {
    for (int i = 0; i < 15; i++) {
      model.took(Operation.GET, 0, 20 * MS, 0);
    }
    assertThat(decider.begin(Operation.GET, 0)).isEqualTo(1_000 * MS);
    model.took(Operation.GET, 0, 20 * MS, 0);
    assertThat(decider.begin(Operation.GET, 0)).isEqualTo(300 * MS);
    for (int i = 0; i < 16; i++) {
      model.took(Operation.HEAD, 0, 20 * MS, 0);
    }
    assertThat(decider.begin(Operation.HEAD, 0)).isEqualTo(1_000 * MS);
  }

  @Test
  void aKnownKindIsHedgedAtItsP98() {
    learn(2_000, 10);
    assertThat(decider.begin(PART, 0)).isBetween(970 * MS, 990 * MS);
  }

  @Test
  void nothingIsHedgedBeforeTheLeastDelay() {
    for (int i = 0; i < 2_000; i++) {
      model.took(PART, 0, 2 * MS, 0);
    }
    assertThat(decider.begin(PART, 0)).isEqualTo(50 * MS);
  }

  @Test
  void hedgesComeAtOnceTwiceAndThreeTimesTheDelayAndThenNoMore() {
    assertThat(decider.next(100, 99, 0)).isEqualTo(Answer.WAIT);
    assertThat(decider.next(100, 100, 0)).isEqualTo(Answer.START);
    // A token short of plenty: 5 % more patience.
    assertThat(decider.next(100, 209, 1)).isEqualTo(Answer.WAIT);
    assertThat(decider.next(100, 210, 1)).isEqualTo(Answer.START);
    assertThat(decider.next(100, 329, 2)).isEqualTo(Answer.WAIT);
    assertThat(decider.next(100, 330, 2)).isEqualTo(Answer.START);
    assertThat(decider.next(100, 1_000_000, 3)).isEqualTo(Answer.WAIT);
  }

  @Test
  void theBudgetIsTwoPercentAndATwentiethOfThatAndTenToStartWith() {
    int hedges = 0;
    for (int request = 0; request < 100_000; request++) {
      long delay = decider.begin(PART, 0);
      hedges += decider.next(delay, 60_000 * MS, 0) == Answer.START ? 1 : 0;
    }
    assertThat(hedges).isBetween(2_100, 2_110);
  }

  @Test
  void aQuietTimeSavesUpTwentyHedgesAtMost() {
    for (int request = 0; request < 100_000; request++) {
      decider.begin(PART, 0);
    }
    int hedges = 0;
    while (decider.next(100, 1_000_000, 0) == Answer.START) {
      hedges++;
    }
    assertThat(hedges).isEqualTo(20);
  }

  @Test
  void withoutABudgetThereIsNoHedge() {
    assertThat(decider(0).next(100, 1_000_000, 0)).isEqualTo(Answer.DENIED);
  }

  @Test
  void aHedgeThatWasNotSentIsGivenBack() {
    for (int i = 0; i < 10; i++) {
      assertThat(decider.next(100, 1_000_000, 0)).isEqualTo(Answer.START);
    }
    assertThat(decider.next(100, 1_000_000, 0)).isEqualTo(Answer.DENIED);
    decider.giveBack();
    assertThat(decider.next(100, 1_000_000, 0)).isEqualTo(Answer.START);
  }
}
