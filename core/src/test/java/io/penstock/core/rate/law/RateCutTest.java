/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.law;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RateCutTest {
  private final RateCut cut = new RateCut(1, 100);
  private final RecentAnswers recent = new RecentAnswers();

  @Test
  void theFirstRateIsWhatWasServed() {
    recent.add(10, 800, 200);
    // 1,000 answers, for which S3 had saved up for 0.25 s, of which 80 % were served: 4,000 x 0.8.
    assertThat(cut.first(recent, 10)).isEqualTo(3_200);
  }

  @Test
  void theFirstRateIsHalfOfTheAnswersAtLeast() {
    recent.add(10, 100, 900);
    assertThat(cut.first(recent, 10)).isEqualTo(2_000);
  }

  @Test
  void anAnswerWithALaterTimeMakesNoRateOfItsOwn() {
    recent.add(10.4, 100, 0);
    assertThat(cut.first(recent, 10)).isEqualTo(400);
  }

  @Test
  void theFirstRateIsTwoASecondAtLeast() {
    assertThat(cut.first(recent, 10)).isEqualTo(2);
  }

  @Test
  void aCutHalves() {
    assertThat(cut.cut(1_000, recent, 10)).isEqualTo(500);
  }

  @Test
  void aCutLeavesWhatIsServedUpToTheFloor() {
    recent.add(10, 15, 0); // 60 a second
    assertThat(cut.cut(80, recent, 10)).isEqualTo(60);
    recent.add(10, 45, 0); // 240 a second, of which the floor of 100 counts
    assertThat(cut.cut(120, recent, 10)).isEqualTo(100);
    assertThat(cut.cut(80, recent, 10)).as("not more than before").isEqualTo(80);
  }

  @Test
  void aCutLeavesTheLeastRateThatIsAllowed() {
    assertThat(cut.cut(1.5, recent, 10)).isEqualTo(1);
  }

  @Test
  void whatWasSentBeforeACutCallsForNoOther() {
    assertThat(cut.isDue(9)).isTrue();
    cut.cut(1_000, recent, 10);
    assertThat(cut.isDue(10)).isFalse();
    assertThat(cut.isDue(10.001)).isTrue();
  }
}
