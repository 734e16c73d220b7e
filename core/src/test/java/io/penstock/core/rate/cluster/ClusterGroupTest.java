/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.core.rate.RateConfig;
import io.penstock.core.rate.report.Lease;
import io.penstock.core.rate.report.RateReport;
import io.penstock.core.rate.report.RateReport.Seen;
import io.penstock.core.rate.report.Share;
import io.penstock.core.rate.report.Traffic;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the driver decides, period by period; each period is half a second. */
class ClusterGroupTest {
  private static final long PERIOD = 500_000_000;

  private final ClusterGroup group = new ClusterGroup(RateConfig.defaults(), Traffic.WRITE);
  private long now = 10 * PERIOD;

  private static RateReport of(String prefix, double ok, double throttled, int waiting) {
    return new RateReport(List.of(new Seen(prefix, ok, throttled, waiting)), List.of());
  }

  private static RateReport of(double ok, double throttled, int waiting) {
    return of("", ok, throttled, waiting);
  }

  /** A period in which each executor saw its report; returns the leases at its end. */
  private Map<String, Lease> period(Map<String, RateReport> reports) {
    now += PERIOD;
    reports.forEach((executor, report) -> group.report(executor, report, now));
    return group.lease(now);
  }

  private Share alone(double ok, double throttled, int waiting) {
    return period(Map.of("1", of(ok, throttled, waiting))).get("1").shares().get(0);
  }

  @Test
  void nothingIsPacedWhileNothingIsThrottled() {
    for (int i = 0; i < 20; i++) {
      assertThat(alone(100_000, 0, 0).mode()).isEqualTo(Share.Mode.OPEN);
    }
  }

  @Test
  void fewThrottlesAreNoReasonToPace() {
    alone(1_000, 0, 0);
    assertThat(alone(1_000, 4, 0).mode()).isEqualTo(Share.Mode.OPEN);
    assertThat(alone(2_000, 5, 0).mode()).as("0.25 %").isEqualTo(Share.Mode.OPEN);
  }

  @Test
  void pacingBeginsFromWhatTheStoreWasSeenToTake() {
    alone(1_000, 0, 0);
    Share share = alone(800, 200, 0); // 2,000 a second, a fifth of it throttled
    assertThat(share.mode()).isEqualTo(Share.Mode.PACED);
    assertThat(share.rate()).isBetween(1_600.0, 1_800.0);
  }

  @Test
  void whatTheStoreHadSavedForACrowdIsNoRateToBeginFrom() {
    // In half a second, 50 from what S3 had saved in a quarter of a second, and 100 that it
    // sustains.
    Share share = alone(150, 50, 64);
    assertThat(share.mode()).isEqualTo(Share.Mode.PACED);
    assertThat(share.rate()).isBetween(150.0, 220.0);
  }

  /** S3 has spent what it had saved in the second report or just before it: half is left out. */
  @Test
  void aCrowdThatHasJustMetTheLimitBeginsFromLessThanItWasServed() {
    alone(25, 0, 64);
    Share share = alone(120, 40, 64); // 320 a second, a quarter of it throttled
    assertThat(share.mode()).isEqualTo(Share.Mode.PACED);
    double withoutHalfOfTheSaved = 0.5 / (0.5 + 0.125);
    double served = 320 * (1 - 0.7 / 4); // what a rejected request costs
    assertThat(share.rate()).isCloseTo(0.97 * withoutHalfOfTheSaved * served, within(15.0));
  }

  @Test
  void aCrowdThatHasFoundItsRateMeanwhileIsLeftAtIt() {
    alone(25, 4, 64); // too few answers to decide
    Share share = alone(50, 1, 64);
    assertThat(share.mode()).isEqualTo(Share.Mode.PACED);
    assertThat(share.rate()).isBetween(90.0, 105.0);
  }

  @Test
  void theRateFallsWithEachBadWindowAndRisesSlowlyWhileRequestsWait() {
    alone(1_000, 0, 0);
    double first = alone(900, 100, 8).rate();
    double second = alone(850, 60, 8).rate();
    assertThat(second).isLessThan(first);
    double rate = second;
    for (int i = 0; i < 10; i++) {
      double next = alone(rate / 2, 0, 8).rate();
      assertThat(next).isBetween(rate, rate * 1.08);
      rate = next;
    }
    assertThat(rate).isGreaterThan(second);
  }

  @Test
  void fiveMinutesWithoutPressureEndThePacing() {
    alone(1_000, 0, 0);
    alone(900, 100, 0);
    for (int i = 0; i < 595; i++) {
      assertThat(alone(50, 0, 0).mode()).isEqualTo(Share.Mode.PACED);
    }
    for (int i = 0; i < 20; i++) {
      alone(50, 0, 0);
    }
    assertThat(alone(50, 0, 0).mode()).isEqualTo(Share.Mode.OPEN);
  }

  @Test
  void aBusyExecutorGetsWhatIdleOnesDoNotNeed() {
    Map<String, RateReport> reports =
        Map.of("busy", of(900, 100, 50), "idle", of(0, 0, 0), "idle too", of(0, 0, 0));
    period(reports);
    Map<String, Lease> leases = period(reports);
    double busy = leases.get("busy").shares().get(0).rate();
    double idle = leases.get("idle").shares().get(0).rate();
    assertThat(idle).as("never nothing").isGreaterThanOrEqualTo(1);
    assertThat(busy).isGreaterThan(8 * idle);
    assertThat(leases.get("busy").executors()).isEqualTo(3);
  }

  @Test
  void equalDemandsGetEqualShares() {
    Map<String, RateReport> reports = Map.of("a", of(450, 50, 9), "b", of(450, 50, 9));
    period(reports);
    Map<String, Lease> leases = period(reports);
    assertThat(leases.get("a").shares().get(0).rate())
        .isCloseTo(leases.get("b").shares().get(0).rate(), within(1e-6));
  }

  @Test
  void anExecutorThatLeftHasNoShare() {
    Map<String, RateReport> reports = Map.of("a", of(450, 50, 9), "b", of(450, 50, 9));
    period(reports);
    double before = period(reports).get("a").shares().get(0).rate();
    group.forget("b");
    Map<String, Lease> leases = period(Map.of("a", of(450, 0, 9)));
    assertThat(leases).containsOnlyKeys("a");
    assertThat(leases.get("a").shares().get(0).rate()).isGreaterThan(before * 1.2);
  }

  @Test
  void aSilentExecutorIsTakenToGoOnAndThenToBeGone() {
    Map<String, RateReport> both = Map.of("a", of(450, 50, 9), "b", of(450, 50, 9));
    period(both);
    period(both);
    assertThat(period(Map.of("a", of(450, 0, 9)))).containsKeys("a", "b");
    for (int i = 0; i < 20; i++) {
      period(Map.of("a", of(450, 0, 9)));
    }
    assertThat(period(Map.of("a", of(450, 0, 9)))).containsOnlyKeys("a");
  }

  @Test
  void aPausedExecutorIsNoSignThatTheThrottlingLasts() {
    period(Map.of("a", of(20, 20, 9), "b", of(20, 20, 9), "c", of(20, 20, 9)));
    Map<String, RateReport> others = Map.of("b", of(5, 0, 9), "c", of(5, 0, 9));
    double before = period(others).get("b").shares().get(0).rate();
    for (int i = 0; i < 15; i++) {
      Share share = period(others).get("b").shares().get(0);
      assertThat(share.mode()).as("after %d reports", i).isEqualTo(Share.Mode.PACED);
      assertThat(share.rate()).as("after %d reports", i).isGreaterThanOrEqualTo(0.8 * before);
    }
  }

  @Test
  void whileAllArePausedNothingIsDecided() {
    Map<String, RateReport> reports = Map.of("a", of(20, 20, 9), "b", of(20, 20, 9));
    period(reports);
    double before = period(reports).get("a").shares().get(0).rate();
    for (int i = 0; i < 15; i++) {
      Share share = period(Map.of()).get("a").shares().get(0);
      assertThat(share.mode()).isEqualTo(Share.Mode.PACED);
      assertThat(share.rate()).isEqualTo(before);
    }
  }

  @Test
  void whoSendsMuchLessAndIsThrottledAsBeforeDoesNotYieldToTheOthers() {
    alone(4_000, 0, 0);
    Share share = alone(2_000, 2_000, 9);
    for (int i = 0; i < 40 && share.mode() == Share.Mode.PACED; i++) {
      share = alone(share.rate() / 4, share.rate() / 4, 9);
    }
    assertThat(share.mode()).isIn(Share.Mode.CONTESTED, Share.Mode.CONTESTED_BY_LARGER);
  }

  @Test
  void aStoreThatRejectsWhateverItIsSentIsSentAsMuchAsBeforeUntilItServesAgain() {
    alone(1_000, 0, 0);
    alone(1_000, 0, 0);
    Share share = alone(100, 900, 8);
    assertThat(share.mode()).isEqualTo(Share.Mode.PACED);
    for (int i = 0; i < 30 && share.mode() == Share.Mode.PACED; i++) {
      double sent = Math.min(900, share.rate() / 2);
      share = alone(0.1 * sent, 0.9 * sent, 8);
    }
    assertThat(share.mode()).isEqualTo(Share.Mode.STRUCK);
    assertThat(share.rate()).isCloseTo(2_000, within(50.0));

    share = alone(1_000, 0, 8);
    assertThat(share.mode()).isEqualTo(Share.Mode.PACED);
    assertThat(share.rate()).isCloseTo(2_000, within(50.0));
  }

  @Test
  void aPrefixThatIsNotThrottledGetsAPartitionOfItsOwn() {
    List<Seen> prefixes =
        List.of(new Seen("t/day=1/", 300, 300, 0), new Seen("t/day=2/", 300, 0, 0));
    RateReport report = new RateReport(List.of(new Seen("", 600, 300, 5)), prefixes);
    period(Map.of("1", report));
    List<Share> shares = period(Map.of("1", report)).get("1").shares();
    assertThat(shares).extracting(Share::prefix).containsExactly("", "t/day=2/");
    assertThat(shares.get(0).mode()).isEqualTo(Share.Mode.PACED);
    assertThat(shares.get(1).mode()).isEqualTo(Share.Mode.OPEN);
  }
}
