/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.law;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.rate.law.RateLaw.Window;
import io.penstock.core.rate.law.ThrottleCause.Verdict;
import org.junit.jupiter.api.Test;

/** The verdicts on single windows just beside each limit, so that none of the limits can drift. */
class ThrottleCauseTest {
  /** So many answers that their share is exact. */
  private static final double MANY = 1_000_000;

  /** Blames others after three bad seconds and four bad windows. */
  private final ThrottleCause contest = new ThrottleCause(3, 4);

  /** Never blames others for what lasts seconds. */
  private final ThrottleCause patient = new ThrottleCause(1_000, 1);

  private static Window window(double seconds, double sent, double throttledShare) {
    return new Window(seconds, sent, sent * (1 - throttledShare), true);
  }

  // ---- others

  /** Four windows of a second; returns the verdict on the last. */
  private Verdict fourSeconds(double now, double sent, double throttledShare) {
    for (int i = 0; i < 3; i++) {
      assertThat(contest.judge(now + i, window(1, sent, throttledShare)))
          .isEqualTo(Verdict.OVERLOAD);
    }
    return contest.judge(now + 3, window(1, sent, throttledShare));
  }

  @Test
  void moreThanFivePercentThatLastsIsBlamedOnOthers() {
    contest.begins(1_000);
    assertThat(fourSeconds(0, 500, 0.051)).isEqualTo(Verdict.OTHERS);
  }

  @Test
  void threeWindowsAreTooFewHoweverLong() {
    contest.begins(1_000);
    for (int i = 0; i < 3; i++) {
      assertThat(contest.judge(10 * i, window(10, 500, 0.1))).isEqualTo(Verdict.OVERLOAD);
    }
  }

  @Test
  void lessThanFivePercentIsPeaceAndANewEpisodeStartsFromIt() {
    contest.begins(1_000);
    assertThat(contest.judge(0, window(4, 500, 0.049))).isEqualTo(Verdict.OVERLOAD);
    assertThat(contest.sentAtStart()).isEqualTo(500);
  }

  @Test
  void onlyAnApplicationThatSendsLessThanSixTenthsOfItsBeginningBlamesOthers() {
    contest.begins(1_000);
    assertThat(fourSeconds(0, 610, 0.1)).isEqualTo(Verdict.OVERLOAD);
    assertThat(fourSeconds(4, 590, 0.1)).isEqualTo(Verdict.OTHERS);
  }

  @Test
  void othersAreNotBlamedBeforeThePatienceIsOver() {
    contest.begins(1_000);
    for (int i = 0; i < 29; i++) {
      assertThat(contest.judge(0.1 * i, window(0.1, 500, 0.1))).isEqualTo(Verdict.OVERLOAD);
    }
    assertThat(contest.judge(3, window(0.2, 500, 0.1))).isEqualTo(Verdict.OTHERS);
  }

  private void othersAreBlamedAt(double now) {
    assertThat(fourSeconds(now - 3, 500, 0.1)).isEqualTo(Verdict.OTHERS);
  }

  @Test
  void pacingStopsForAMinuteAndForTwiceAsLongEachTimeUpToFive() {
    contest.begins(1_000);
    double[] pauses = {60, 120, 240, 300, 300};
    for (int i = 0; i < pauses.length; i++) {
      double now = 1_000 * i;
      othersAreBlamedAt(now);
      assertThat(contest.isOn(now + pauses[i] - 1)).as("pause %d", i).isTrue();
      assertThat(contest.isOn(now + pauses[i])).as("pause %d", i).isFalse();
    }
  }

  // ---- a store that is struck

  @Test
  void moreThanSixtyFivePercentRejectedIsAStrike() {
    patient.begins(2 * MANY);
    assertThat(patient.judge(0, window(4, MANY, 0.66))).isEqualTo(Verdict.STRUCK);
  }

  @Test
  void lessThanSixtyFivePercentRejectedIsNoStrike() {
    patient.begins(2 * MANY);
    assertThat(patient.judge(0, window(4, MANY, 0.64))).isEqualTo(Verdict.OVERLOAD);
  }

  @Test
  void aStrikeLastsThreeSecondsBeforeItIsOne() {
    patient.begins(2 * MANY);
    assertThat(patient.judge(0, window(2.9, MANY, 0.9))).isEqualTo(Verdict.OVERLOAD);
    patient.begins(2 * MANY);
    assertThat(patient.judge(0, window(3.1, MANY, 0.9))).isEqualTo(Verdict.STRUCK);
  }

  @Test
  void twoStandardErrorsMustBeToSpare() {
    // 80 answers: sqrt(0.75 x 0.25 / 80) = 0.0484; 0.75 - 2 x 0.0484 = 0.6532.
    patient.begins(100);
    assertThat(patient.judge(0, window(4, 20, 0.75))).isEqualTo(Verdict.STRUCK);
  }

  @Test
  void ofFewAnswersTheSameShareMayBeChance() {
    // 70 answers: sqrt(0.75 x 0.25 / 70) = 0.0518; 0.75 - 2 x 0.0518 = 0.6465.
    patient.begins(100);
    assertThat(patient.judge(0, window(4, 17.5, 0.75))).isEqualTo(Verdict.OVERLOAD);
  }

  // ---- the end of a strike

  /** Nine tenths are rejected of half of what was sent before. */
  private void strike(double now, double sentBefore) {
    patient.begins(sentBefore);
    assertThat(patient.judge(now, window(4, sentBefore / 2, 0.9))).isEqualTo(Verdict.STRUCK);
  }

  private Verdict duringTheStrike(double now, double throttledShare) {
    return patient.judgeStrike(now, window(1, MANY, throttledShare));
  }

  @Test
  void aStrikeIsDoubtedAfterTwoMinutesAndAfterTwiceAsLongEachTimeUpToFive() {
    double[] doubts = {120, 240, 300, 300};
    for (int i = 0; i < doubts.length; i++) {
      double now = 1_000 * i;
      strike(now, MANY);
      assertThat(duringTheStrike(now + doubts[i] - 1, 0.9)).as("%d", i).isEqualTo(Verdict.STRUCK);
      assertThat(duringTheStrike(now + doubts[i], 0.9)).as("%d", i).isEqualTo(Verdict.OVERLOAD);
    }
  }

  @Test
  void aStoreThatServesAgainIsNotStruckAndTheNextStrikeIsDoubtedAsTheFirst() {
    strike(0, MANY);
    assertThat(duringTheStrike(1, 0.051)).isEqualTo(Verdict.STRUCK);
    assertThat(duringTheStrike(2, 0.049)).isEqualTo(Verdict.OVERLOAD);
    strike(1_000, MANY);
    assertThat(duringTheStrike(1_119, 0.9)).isEqualTo(Verdict.STRUCK);
    assertThat(duringTheStrike(1_120, 0.9)).isEqualTo(Verdict.OVERLOAD);
  }

  @Test
  void aShareThatFallsButNotToSixTenthsIsAStrikeStill() {
    strike(0, MANY);
    // 0.9 - 0.3 x 0.85 = 0.645; 0.645 - 0.3 x (0.645 - 0.35) = 0.5565; the limit is 0.54.
    assertThat(duringTheStrike(1, 0.05)).isEqualTo(Verdict.STRUCK);
    assertThat(duringTheStrike(2, 0.35)).isEqualTo(Verdict.STRUCK);
  }

  @Test
  void aShareThatFallsToSixTenthsAndNotToNoneIsBlamedOnOthers() {
    strike(0, MANY);
    // 0.645 - 0.3 x (0.645 - 0.25) = 0.5265; the limit is 0.54.
    assertThat(duringTheStrike(1, 0.05)).isEqualTo(Verdict.STRUCK);
    assertThat(duringTheStrike(2, 0.25)).isEqualTo(Verdict.OTHERS);
    assertThat(patient.isOn(61)).isTrue();
    assertThat(patient.isOn(62)).isFalse();
  }
}
