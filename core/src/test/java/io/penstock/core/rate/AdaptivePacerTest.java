/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.core.rate.report.RateReport;
import io.penstock.core.rate.report.Share;
import io.penstock.core.request.Repeat;
import org.junit.jupiter.api.Test;

class AdaptivePacerTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final double NO_CAP = Double.POSITIVE_INFINITY;

  private final AdaptivePacer pacer = new AdaptivePacer(1, 1);

  /** A second of answers, evenly spread, of which the last ones are throttled. */
  private void second(long fromNanos, int ok, int throttled) {
    int all = ok + throttled;
    for (int i = 0; i < all; i++) {
      long now = fromNanos + SECOND * i / all;
      pacer.answered(now - MILLI, now, 1, i >= ok);
    }
  }

  /** S3 served 99 in 0.99 s, and had saved up a quarter of a second of them. */
  private static final double FIRST_RATE = 99 / (0.99 + 0.25);

  @Test
  void thereIsNoCapUntilTheStoreThrottles() {
    second(0, 1_000, 0);
    pacer.arrive(SECOND);
    assertThat(pacer.take(SECOND, 1)).isZero();
    assertThat(pacer.rate()).isEqualTo(NO_CAP);
    assertThat(pacer.repeat()).isEqualTo(Repeat.BACK_OFF);
  }

  @Test
  void theFirstThrottleSetsTheRateToWhatTheStoreServedWithoutWhatItHadSaved() {
    second(0, 99, 1);
    assertThat(pacer.rate()).isCloseTo(FIRST_RATE, within(0.5));
    assertThat(pacer.repeat()).isEqualTo(Repeat.SHORTLY);
  }

  @Test
  void aBurstOfThrottlesIsOneCut() {
    second(0, 99, 1);
    for (int i = 0; i < 50; i++) {
      pacer.answered(990 * MILLI, SECOND + MILLI, 1, true); // sent after the cap, before the cut
    }
    // sent at 990 ms, capped at 990 ms
    assertThat(pacer.rate()).isCloseTo(FIRST_RATE, within(0.5));
    pacer.answered(SECOND, SECOND + 2 * MILLI, 1, true);
    pacer.answered(SECOND, SECOND + 3 * MILLI, 1, true);
    assertThat(pacer.rate()).isCloseTo(FIRST_RATE / 2, within(0.5));
  }

  @Test
  void aCrowdThatComesFromNothingIsLetInByAndBy() {
    for (int i = 0; i < 8; i++) {
      pacer.arrive(0);
      assertThat(pacer.take(0, 1)).isZero();
    }
    pacer.arrive(0);
    assertThat(pacer.take(0, 1)).as("8 are in flight").isPositive();
    for (int i = 0; i < 24; i++) {
      pacer.answered(0, 50 * MILLI, 1, false);
      assertThat(taken(50 * MILLI)).as("another is sent").isEqualTo(1);
    }
    assertThat(pacer.take(99 * MILLI, 1)).isPositive();
    assertThat(taken(151 * MILLI)).as("16 may be in flight after a tenth of a second").isEqualTo(8);
    assertThat(taken(450 * MILLI)).isZero();
    assertThat(taken(452 * MILLI)).as("no answers").isEqualTo(16);
  }

  @Test
  void theNextCrowdAfterAPauseBeginsWith64() {
    long now = 0;
    int inFlight = 0;
    while (inFlight < 192) {
      inFlight += taken(now);
      now += 200 * MILLI;
      for (int i = 0; i < 600; i++) {
        pacer.answered(now - MILLI, now, 1, false);
        inFlight += taken(now) - 1;
      }
    }
    for (int i = 0; i < inFlight; i++) {
      pacer.answered(now - MILLI, now, 1, false);
    }
    assertThat(taken(now + 20 * SECOND)).isEqualTo(64);
  }

  private int taken(long now) {
    int taken = 0;
    while (pacer.take(now, 1) == 0) {
      taken++;
    }
    return taken;
  }

  @Test
  void oneThrottleAloneIsNoReason() {
    pacer.answered(0, MILLI, 1, true);
    assertThat(pacer.rate()).isEqualTo(NO_CAP);
    pacer.answered(0, 2 * MILLI, 1, true);
    assertThat(pacer.rate()).isLessThan(NO_CAP);
  }

  @Test
  void aRequestThatGotLostLeavesItsPlace() {
    for (int i = 0; i < 100; i++) {
      pacer.arrive(0);
      assertThat(pacer.take(0, 1)).isZero();
      pacer.lost(MILLI);
    }
  }

  @Test
  void theFloorOfAStoreThatServesLessIsWhatItServes() {
    AdaptivePacer small = new AdaptivePacer(1, 875);
    for (int i = 0; i < 60; i++) {
      small.answered(0, SECOND * i / 60, 1, i % 4 == 3);
    }
    assertThat(small.rate()).isLessThan(60);
  }

  @Test
  void theRateNeverFallsUnderTheFloor() {
    AdaptivePacer careful = new AdaptivePacer(4, 4);
    for (int i = 0; i < 4; i++) {
      careful.answered(i * SECOND, i * SECOND + MILLI, 1, true);
      careful.answered(i * SECOND, i * SECOND + MILLI, 1, true);
    }
    assertThat(careful.rate()).isEqualTo(4);
  }

  @Test
  void theRateGrowsOnlyWhileRequestsWait() {
    second(0, 99, 1);
    double before = pacer.rate();
    second(SECOND, 50, 0);
    second(2 * SECOND, 50, 0);
    assertThat(pacer.rate()).isEqualTo(before);

    long now = 3 * SECOND;
    pacer.arrive(now);
    pacer.arrive(now);
    assertThat(pacer.take(now, 1)).isZero();
    for (int i = 1; i <= 10; i++) {
      pacer.answered(now, now + 100L * i * MILLI, 1, false);
    }
    assertThat(pacer.rate()).isGreaterThan(before * 1.02).isLessThan(before * 1.06);
  }

  @Test
  void aHeavyRequestIsPaidByThoseAfterIt() {
    second(0, 99, 1);
    long now = 2 * SECOND;
    pacer.arrive(now);
    assertThat(pacer.take(now, 100)).isZero();
    pacer.arrive(now);
    assertThat(pacer.take(now, 1)).isBetween(1_140 * MILLI, 1_340 * MILLI);
  }

  @Test
  void theCapGoesAfterFiveQuietMinutes() {
    second(0, 99, 1);
    pacer.arrive(299 * SECOND);
    pacer.leave(299 * SECOND);
    assertThat(pacer.rate()).isLessThan(NO_CAP);
    pacer.arrive(302 * SECOND);
    assertThat(pacer.rate()).isEqualTo(NO_CAP);
  }

  @Test
  void aShareOfTheDriverIsFollowedUntilItEnds() {
    pacer.follow(new Share("", Share.Mode.PACED, 20), 0, 3 * SECOND);
    assertThat(pacer.rate()).isEqualTo(20);
    pacer.answered(SECOND, SECOND + MILLI, 1, true);
    assertThat(pacer.rate()).as("the driver cuts").isEqualTo(20);
    pacer.answered(4 * SECOND, 4 * SECOND + MILLI, 1, true);
    assertThat(pacer.rate()).as("alone again").isEqualTo(10);
  }

  @Test
  void withoutTheDriverTheLastShareStaysTheCap() {
    pacer.follow(new Share("", Share.Mode.PACED, 20), 0, 3 * SECOND);
    pacer.arrive(10 * SECOND);
    assertThat(pacer.rate()).as("no burst when the driver is gone").isBetween(20.0, 21.0);
  }

  @Test
  void aProcessCutsByItselfWhenNearlyAThirdIsThrottled() {
    pacer.follow(new Share("", Share.Mode.PACED, 20), 0, 300 * SECOND);
    second(SECOND, 10, 10);
    assertThat(pacer.rate()).isLessThan(20);
  }

  @Test
  void whileOthersCauseTheThrottlingNothingIsCapped() {
    pacer.follow(new Share("", Share.Mode.CONTESTED, 0), 0, 300 * SECOND);
    second(SECOND, 10, 90);
    assertThat(pacer.rate()).isEqualTo(NO_CAP);
    assertThat(pacer.repeat()).isEqualTo(Repeat.BACK_OFF);
  }

  @Test
  void whoSendsMuchLessAndIsThrottledAsBeforeStopsYielding() {
    second(0, 50, 50);
    double capped = pacer.rate();
    assertThat(capped).isLessThan(NO_CAP);
    for (int i = 1; i < 25; i++) {
      second(i * SECOND, 10, 10);
    }
    assertThat(pacer.rate()).isEqualTo(NO_CAP);
    assertThat(pacer.repeat()).isEqualTo(Repeat.BACK_OFF);
  }

  /** Nine of ten are rejected for some seconds, however few are sent. */
  private void strike() {
    second(0, 90, 10);
    for (int i = 1; i < 8; i++) {
      second(i * SECOND, 2, 18);
    }
  }

  @Test
  void aDriverThatKnowsOfNoThrottlingDoesNotLiftACapThatWasJustSet() {
    Share open = new Share("", Share.Mode.OPEN, 0);
    second(0, 99, 1);
    pacer.follow(open, SECOND, 4 * SECOND);
    assertThat(pacer.rate()).isCloseTo(FIRST_RATE, within(0.5));
    pacer.answered(2 * SECOND, 2 * SECOND + MILLI, 1, true);
    assertThat(pacer.rate()).as("it goes on alone").isCloseTo(FIRST_RATE / 2, within(1.0));
    pacer.follow(open, 9 * SECOND, 12 * SECOND);
    assertThat(pacer.rate()).isLessThan(NO_CAP);
    pacer.follow(open, 11 * SECOND, 14 * SECOND);
    assertThat(pacer.rate()).isEqualTo(NO_CAP);
  }

  @Test
  void aCapThatTheDriverHasTakenOverIsLiftedByIt() {
    second(0, 99, 1);
    pacer.follow(new Share("", Share.Mode.PACED, 20), SECOND, 4 * SECOND);
    pacer.follow(new Share("", Share.Mode.OPEN, 0), 2 * SECOND, 5 * SECOND);
    assertThat(pacer.rate()).isEqualTo(NO_CAP);
  }

  @Test
  void underADriverTwoThrottlesAloneAreNoReason() {
    pacer.follow(new Share("", Share.Mode.OPEN, 0), 0, 300 * SECOND);
    second(0, 1, 2);
    assertThat(pacer.rate()).isEqualTo(NO_CAP);
  }

  @Test
  void aDriverThatKnowsOfNoThrottlingIsNotWaitedForToSetOne() {
    pacer.follow(new Share("", Share.Mode.OPEN, 0), 0, 300 * SECOND);
    second(0, 99, 1);
    assertThat(pacer.rate()).isCloseTo(FIRST_RATE, within(0.5));
  }

  @Test
  void aStoreThatRejectsWhateverItIsSentIsSentAsMuchAsBefore() {
    strike();
    assertThat(pacer.rate()).isCloseTo(80, within(10.0));
    assertThat(pacer.repeat()).isEqualTo(Repeat.AT_ONCE);
    second(8 * SECOND, 10, 90);
    assertThat(pacer.rate()).as("nothing cuts it").isCloseTo(80, within(10.0));
  }

  @Test
  void whenTheStrikeIsOverTheLawGoesOnFromTheRateBefore() {
    strike();
    second(8 * SECOND, 90, 0);
    second(9 * SECOND, 90, 0);
    second(10 * SECOND, 90, 0);
    assertThat(pacer.repeat()).isEqualTo(Repeat.SHORTLY);
    assertThat(pacer.rate()).isCloseTo(80, within(10.0));
    second(11 * SECOND, 80, 10);
    assertThat(pacer.rate()).isLessThan(60);
  }

  @Test
  void aStrikeIsDoubtedAfterTwoMinutes() {
    strike();
    for (int i = 8; i < 140; i++) {
      second(i * SECOND, 2, 18);
    }
    assertThat(pacer.repeat()).isEqualTo(Repeat.SHORTLY);
  }

  @Test
  void aStrikeThatComesAndGoesIsOthersOverload() {
    strike();
    for (int i = 8; i < 14; i++) {
      second(i * SECOND, 60, 40);
    }
    assertThat(pacer.rate()).isEqualTo(NO_CAP);
    assertThat(pacer.repeat()).isEqualTo(Repeat.BACK_OFF);
  }

  @Test
  void whatTheDriverAllowsAStruckStoreIsNotCut() {
    pacer.follow(new Share("", Share.Mode.STRUCK, 20), 0, 300 * SECOND);
    second(SECOND, 2, 18);
    assertThat(pacer.rate()).isEqualTo(20);
    assertThat(pacer.repeat()).isEqualTo(Repeat.AT_ONCE);
  }

  @Test
  void aReportCoversWhatCameSinceTheLastOne() {
    second(0, 10, 2);
    pacer.arrive(SECOND);
    assertThat(pacer.report("p/")).isEqualTo(new RateReport.Seen("p/", 10, 2, 1));
    assertThat(pacer.report("p/")).isEqualTo(new RateReport.Seen("p/", 0, 0, 1));
  }
}
