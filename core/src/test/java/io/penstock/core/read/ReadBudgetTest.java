/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.config.Settings;
import io.penstock.core.read.ReadBudget.Ask;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReadBudgetTest {
  private static final Ask ASK = new Ask(600, 100, 10);

  private final ReadBudget budget = new ReadBudget();

  @Test
  void aStreamGrowsWhileItHoldsNoMoreThanIsFreeAfterIt() {
    assertThat(budget.grow(ASK, 0, 2000)).isEqualTo(600);
    assertThat(budget.grow(ASK, 600, 2000)).as("900 held, 1100 free").isEqualTo(400);
    assertThat(budget.usedBytes()).isEqualTo(1000);
    assertThat(budget.grow(ASK, 1000, 2000)).isZero();
    assertThat(budget.grow(ASK, 0, 2000)).as("another stream").isEqualTo(500);
    assertThat(budget.peakBytes()).isEqualTo(1500);
  }

  @Test
  void whoComesLateGetsWhatIsUsefulAndAtLeastSoMuchThatItGoesOn() {
    assertThat(budget.take(ASK, 0, 1000)).isEqualTo(500);
    assertThat(budget.take(ASK, 0, 1000)).isEqualTo(250);
    assertThat(budget.take(ASK, 0, 1000)).as("125 of 250 free").isEqualTo(125);
    assertThat(budget.take(ASK, 0, 1000)).as("the rest is not for streams").isEqualTo(10);
    budget.giveBack(500);
    assertThat(budget.take(ASK, 0, 1000)).isEqualTo(307);
    assertThat(budget.take(ASK, 300, 1000)).as("it holds much already").isEqualTo(10);
    assertThat(budget.take(new Ask(3, 100, 10), 300, 1000)).isEqualTo(3);
  }

  @Test
  void aStreamThatHoldsMuchGetsWhatIsUsefulWhileThereIsRoom() {
    assertThat(budget.take(ASK, 0, 1000)).isEqualTo(500);
    assertThat(budget.take(ASK, 500, 1000)).isEqualTo(100);
    assertThat(budget.take(ASK, 600, 1000)).isEqualTo(100);
    assertThat(budget.take(ASK, 700, 1000)).as("750 are for streams").isEqualTo(10);
  }

  @Test
  void aBucketsVectoredReadsLeaveAThirdOfWhatTheyHoldToOthers() {
    assertThat(budget.takeVectored(400, 0, 1000)).isTrue();
    assertThat(budget.takeVectored(350, 400, 1000)).isTrue();
    assertThat(budget.takeVectored(1, 750, 1000)).isFalse();
    assertThat(budget.usedBytes()).isEqualTo(750);
    budget.giveBackVectored(350);
    assertThat(budget.takeVectored(1, 400, 1000)).isTrue();
  }

  @Test
  void aBucketWithNothingUnderWayIsNeverRefused() {
    assertThat(budget.takeVectored(5000, 0, 1000)).as("larger than the budget").isTrue();
    assertThat(budget.takeVectored(10, 5000, 1000)).isFalse();
    assertThat(budget.takeVectored(10, 0, 1000)).as("another bucket").isTrue();
  }

  @Test
  void theBudgetIsAQuarterOfTheHeapAtMost() {
    assertThat(ReadConfig.memoryMaxBytes(268_435_456, 4_294_967_296L)).isEqualTo(268_435_456);
    assertThat(ReadConfig.memoryMaxBytes(268_435_456, 400_000_000)).isEqualTo(100_000_000);
    Settings set = Settings.of(Map.of("penstock.read.buffer.memory.max", "3M")).forBucket("lake");
    assertThat(ReadConfig.from(set).memoryMaxBytes()).isEqualTo(3_145_728);
  }
}
