/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.law;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.core.rate.law.RateLaw.Window;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** The rate after a few windows, worked out by hand, so that no constant of the law can drift. */
class RateLawTest {
  private static final Offset<Double> EXACTLY = within(1e-6);

  /** It aims at 0.4 % of throttled answers. */
  private final RateLaw law = new RateLaw(0.004);

  private boolean step(double seconds, double sent, double ok) {
    return law.step(new Window(seconds, sent, ok, false));
  }

  private boolean stepWaiting(double seconds, double sent, double ok) {
    return law.step(new Window(seconds, sent, ok, true));
  }

  /** A cap of 1,000 a second that the store has served for a second. */
  private void engagedAt1000() {
    law.engage(new Window(1, 1_000, 1_000, false));
  }

  private void assertRate(double expected) {
    assertThat(law.rate()).isCloseTo(expected, EXACTLY);
  }

  // ---- falling

  @Test
  void muchThrottlingCutsTheRateUnderWhatTheStoreIsThoughtToServe() {
    engagedAt1000();
    // A tenth is throttled: 1,000 x (1 - 0.7 x 0.1) = 930 are known, and 0.97 x 930 allowed.
    assertThat(step(1, 1_000, 900)).isTrue();
    assertRate(902.1);
    assertThat(law.isQuiet()).isFalse();
  }

  @Test
  void nearlyEverythingThrottledIsTakenForHalfServed() {
    law.engage(new Window(1, 1_000, 100, false));
    // 1 - 0.7 x 0.9 = 0.37 is raised to 0.5: 0.97 x 500. Sustained are 0.7 x 1,000.
    assertRate(485);
  }

  @Test
  void moreThanTwoPercentIsMuch() {
    engagedAt1000();
    step(1, 1_000, 979); // 2.1 %: 0.97 x 1,000 x (1 - 0.7 x 0.021)
    assertRate(955.741);
  }

  @Test
  void lessThanTwoPercentIsAGentleCut() {
    engagedAt1000();
    assertThat(step(1, 1_000, 981)).isTrue(); // 1.9 %: 1,000 x (1 - 2 x (0.019 - 0.004))
    assertRate(970);
  }

  @Test
  void whenLessThanSeventyPercentIsServedTheRateIsSeventyPercentOfWhatWasSent() {
    law.engage(new Window(1, 1_000, 690, false));
    // 0.97 x 1,000 x (1 - 0.7 x 0.31) = 759.51 is more than 0.7 x 1,000, which is sustained.
    assertRate(700);
  }

  // ---- what the store sustains

  @Test
  void aGentleCutEndsTwoPercentAboveWhatTheStoreSustains() {
    engagedAt1000();
    step(1, 812, 800); // a fifth less: 800 are sustained from now on; 1.02 x 800
    assertRate(816);
  }

  @Test
  void whatIsSustainedIsAveragedOverFifteenSeconds() {
    engagedAt1000();
    step(7.5, 900, 900); // half of the way from 1,000 to 900: 950
    step(1.5, 950, 945); // a tenth of the way from 950 to 945: 949.5; 1.02 x 949.5
    assertRate(968.49);
  }

  @Test
  void aChangeOfElevenPercentIsAveraged() {
    engagedAt1000();
    step(1.5, 900, 890); // 1,000 - 11 are sustained, so the gentle cut is the lower one
    assertRate(985.777778); // 1,000 x (1 - 2 x (10 / 900 - 0.004))
  }

  @Test
  void aChangeOfThirteenPercentIsBelievedAtOnce() {
    engagedAt1000();
    step(1.5, 880, 870); // 870 are sustained: 1.02 x 870
    assertRate(887.4);
  }

  // ---- growing

  @Test
  void aRateUnderWhatIsKnownRecoversByATenthOfThatASecond() {
    engagedAt1000();
    step(1, 1_000, 900);
    assertThat(step(0.2, 900, 900)).isFalse(); // 902.1 + 0.1 x 930 x 0.2
    assertRate(920.7);
    step(1, 900, 900); // not above the 930 that are known
    assertRate(930);
  }

  @Test
  void whatIsServedIsKnownByThreeTenthsOfEachWindow() {
    law.watch(new Window(1, 1_000, 1_000, false));
    law.resume(500);
    step(10, 500, 500); // 0.7 x 1,000 + 0.3 x 500
    assertRate(850);
  }

  @Test
  void theRateGrowsOnlyWhenNearlyAllOfItIsSentAndMoreWaits() {
    law.resume(1_000);
    assertThat(stepWaiting(1, 940, 940)).isFalse();
    assertRate(1_000);
    assertThat(step(1, 1_000, 1_000)).as("nobody waits").isFalse();
    assertRate(1_000);
    assertThat(stepWaiting(1, 960, 960)).isTrue();
    assertRate(1_005);
  }

  @Test
  void itGrowsByHalfAPercentASecondAndByLessWhenSomeAreThrottled() {
    law.resume(1_000);
    assertThat(stepWaiting(1, 1_000, 1_000)).isTrue();
    assertRate(1_005);
    law.resume(1_000);
    stepWaiting(1, 1_000, 998); // 0.2 % of the 0.4 % aimed at: half
    assertRate(1_002.5);
  }

  @Test
  void itGrowsFasterWhenItHasBeenTheLimitForMoreThanFourSeconds() {
    law.resume(1_000);
    // 5 / 4 - 1 = 0.25; 0.03 x 0.25 x 0.25 = 0.001875; 5 x (0.005 + 0.001875)
    stepWaiting(5, 1_000, 1_000);
    assertRate(1_034.375);
  }

  @Test
  void itNeverGrowsByMoreThanOneAndAHalfPercentASecondNearWhatWasTooMuch() {
    law.resume(1_000);
    stepWaiting(8, 1_000, 1_000); // 8 x (0.005 + 0.01)
    assertRate(1_120);
  }

  /** Serves the rate for some quiet seconds, in which it becomes known, and then for one more. */
  private void servedInPeace(double rate, double seconds) {
    law.resume(1_000);
    step(seconds, rate, rate);
    stepWaiting(1, rate, rate);
  }

  @Test
  void farAboveWhatWasTooMuchItGrowsByATenthASecond() {
    servedInPeace(1_110, 2.1); // more than 1.1 x 1,000, after 3.1 s
    assertRate(1_221);
  }

  @Test
  void theCapOfACrowdGrowsByThreePercentASecondAfterThreeQuietSeconds() {
    law.engage(new Window(1, 1_000, 1_000, false), new Window(1, 1_000, 1_000, false));
    step(1.9, 1_000, 1_000);
    assertRate(1_000);
    stepWaiting(1, 1_000, 1_000); // 1,000 x 1.03, after 3.9 s
    assertRate(1_030);
  }

  @Test
  void lessThanATenthAboveWhatWasTooMuchIsNotFar() {
    servedInPeace(1_090, 2.1); // 1,090 x 1.005
    assertRate(1_095.45);
  }

  @Test
  void lessThanThreeQuietSecondsAreNotEnoughToGrowFast() {
    servedInPeace(1_110, 1.9); // 1,110 x 1.005, after 2.9 s
    assertRate(1_115.55);
  }

  // ---- climbing back to a peak

  /** Has served 1,000 a second, and is back at a lower rate after others came. */
  private void downFromAPeakOf1000(double rate) {
    law.resume(1_000);
    step(1, 1_000, 1_000);
    for (int i = 0; i < 10; i++) {
      law.watch(new Window(1, 0, 0, false));
    }
    law.resume(rate);
  }

  @Test
  void farUnderItsPeakTheRateClimbsToNearlyThat() {
    downFromAPeakOf1000(823.2);
    // The peak fades by 2.4 / 120 to 980, of which 823.2 are 84 %; 0.95 x 980.
    assertThat(stepWaiting(2.4, 823.2, 823.2)).isTrue();
    assertRate(931);
  }

  @Test
  void eightySixPercentOfThePeakIsNotFarUnderIt() {
    downFromAPeakOf1000(842.8);
    stepWaiting(2.4, 842.8, 842.8); // 842.8 x (1 + 0.005 x 2.4)
    assertRate(852.9136);
  }

  @Test
  void itClimbsBySixtyPercentASecondAfterTwoQuietSeconds() {
    downFromAPeakOf1000(500);
    step(1.7, 500, 500);
    stepWaiting(0.4, 500, 500); // after 2.1 s: 500 x (1 + 0.6 x 0.4)
    assertRate(620);
  }

  @Test
  void itDoesNotClimbBeforeTwoQuietSeconds() {
    downFromAPeakOf1000(500);
    step(1.5, 500, 500);
    stepWaiting(0.4, 500, 500); // after 1.9 s: 500 x (1 + 0.005 x 0.4)
    assertRate(501);
  }

  /**
   * Climbs after some quiet seconds and a fifth of one, and is throttled: 600 x (1 - 0.7 / 6) = 530
   * are known from now on.
   */
  private void climbsInVain(double quietSeconds) {
    step(quietSeconds, 500, 500);
    double before = law.rate();
    stepWaiting(0.2, before, before);
    assertRate(1.12 * before);
    step(1, 600, 500);
  }

  @Test
  void afterAClimbInVainThreeQuietSecondsAllowTheNext() {
    downFromAPeakOf1000(500);
    climbsInVain(2);
    step(2.9, 500, 500);
    stepWaiting(0.2, 530, 530); // after 3.1 s: 530 x 1.12
    assertRate(593.6);
  }

  @Test
  void afterAClimbInVainItDoesNotClimbBeforeThreeQuietSeconds() {
    downFromAPeakOf1000(500);
    climbsInVain(2);
    step(2.7, 500, 500);
    stepWaiting(0.2, 530, 530); // after 2.9 s: 530 x (1 + 0.005 x 0.2)
    assertRate(530.53);
  }

  /** Waits 2, 3, 4.5 and 6.75 s. */
  private void climbsInVainFourTimes() {
    downFromAPeakOf1000(500);
    climbsInVain(2);
    climbsInVain(3);
    climbsInVain(4.5);
    climbsInVain(6.75);
  }

  @Test
  void afterManyClimbsInVainSevenQuietSecondsAllowTheNext() {
    climbsInVainFourTimes();
    step(6.9, 500, 500);
    stepWaiting(0.2, 530, 530); // after 7.1 s
    assertRate(593.6);
  }

  @Test
  void afterManyClimbsInVainItDoesNotClimbBeforeSevenQuietSeconds() {
    climbsInVainFourTimes();
    step(6.7, 500, 500);
    stepWaiting(0.2, 530, 530); // after 6.9 s
    assertRate(530.53);
  }

  @Test
  void aRateThatIsNotFarUnderItsPeakMakesTheNextClimbAsSoonAsTheFirst() {
    climbsInVainFourTimes();
    law.resume(1_000);
    stepWaiting(1, 1_000, 1_000);
    downFromAPeakOf1000(500);
    step(1.9, 500, 500);
    stepWaiting(0.2, 500, 500); // after 2.1 s: 500 x 1.12
    assertRate(560);
  }

  @Test
  void whatWasNoOverloadPutsTheRateBackAsItWas() {
    engagedAt1000();
    step(1, 1_000, 500);
    law.resume(1_000);
    assertRate(1_000);
    assertThat(law.isQuiet()).isFalse();
    step(0.5, 1_000, 1_000);
    assertThat(law.isQuiet()).isTrue();
  }
}
