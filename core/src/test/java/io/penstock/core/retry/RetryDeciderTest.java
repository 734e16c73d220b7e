/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.config.Settings;
import io.penstock.core.request.Repeat;
import io.penstock.core.retry.RetryDecider.Decision;
import io.penstock.core.retry.RetryDecider.Facts;
import io.penstock.core.retry.RetryDecider.Failures;
import io.penstock.core.store.StoreException.Kind;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryDeciderTest {
  /** The defaults: 24 attempts, 3 min, 100 ms to 20 s; throttled 100 attempts, 15 min. */
  private static final RetryConfig DEFAULTS = RetryConfig.from(Settings.of(Map.of()));

  private final RetryDecider decider = new RetryDecider(DEFAULTS);

  /** What is known, with zeros where a case does not care. */
  private record Case(
      Kind kind, Repeat repeat, Failures failures, long elapsedMillis, long previousMillis) {
    static Case failed(Kind kind, int failed) {
      return new Case(kind, Repeat.BACK_OFF, new Failures(failed, 0, 0), 0, 0);
    }

    static Case throttled(int throttled) {
      return new Case(Kind.THROTTLED, Repeat.BACK_OFF, new Failures(0, throttled, 0), 0, 0);
    }

    static Case paced(int throttled) {
      return new Case(Kind.THROTTLED, Repeat.SHORTLY, new Failures(0, 0, throttled), 0, 0);
    }

    Case at(Duration elapsed) {
      return new Case(kind, repeat, failures, elapsed.toMillis(), previousMillis);
    }

    Case after(long delayMillis) {
      return new Case(kind, repeat, failures, elapsedMillis, delayMillis);
    }

    Facts facts(Duration retryAfter, double chance) {
      return new Facts(
          kind,
          false,
          repeat,
          failures,
          Duration.ofMillis(elapsedMillis),
          Duration.ofMillis(previousMillis),
          Optional.ofNullable(retryAfter),
          chance);
    }
  }

  /** The wait in milliseconds; -1 for none. */
  private long millis(Case facts, double chance) {
    return decider.next(facts.facts(null, chance)).delay().map(Duration::toMillis).orElse(-1L);
  }

  private Decision decide(Case facts) {
    return decider.next(facts.facts(null, 0));
  }

  @Test
  void eachKindOfFailureIsRepeatedOrNot() {
    Map<Kind, Boolean> repeated = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      Failures one = Failures.NONE.plus(kind, Repeat.BACK_OFF);
      repeated.put(kind, decide(new Case(kind, Repeat.BACK_OFF, one, 0, 0)).delay().isPresent());
    }

    assertThat(repeated)
        .isEqualTo(
            Map.ofEntries(
                Map.entry(Kind.NO_SUCH_KEY, false),
                Map.entry(Kind.NO_SUCH_BUCKET, false),
                Map.entry(Kind.NO_SUCH_UPLOAD, false),
                Map.entry(Kind.PRECONDITION_FAILED, false),
                Map.entry(Kind.CONFLICT, true),
                Map.entry(Kind.RANGE_NOT_SATISFIABLE, false),
                Map.entry(Kind.ACCESS_DENIED, false),
                Map.entry(Kind.BAD_CREDENTIALS, false),
                Map.entry(Kind.EXPIRED_CREDENTIALS, false),
                Map.entry(Kind.WRONG_REGION, false),
                Map.entry(Kind.INVALID_REQUEST, false),
                Map.entry(Kind.PARENT_IS_OBJECT, false),
                Map.entry(Kind.UNSUPPORTED, false),
                Map.entry(Kind.NOT_S3, false),
                Map.entry(Kind.THROTTLED, true),
                Map.entry(Kind.UNREACHABLE, true),
                Map.entry(Kind.CONNECTION_LOST, true),
                Map.entry(Kind.SERVER_ERROR, true)));
  }

  @Test
  void aFailureWaitsFromTheShortestDelayToThreeTimesTheOneBefore() {
    Map<String, Long> waits = new HashMap<>();
    for (long previous : new long[] {0, 100, 300, 5000, 20_000}) {
      for (double chance : new double[] {0, 0.5, 0.999}) {
        Case facts = Case.failed(Kind.SERVER_ERROR, 2).after(previous);
        waits.put(previous + " " + chance, millis(facts, chance));
      }
    }
    assertThat(waits)
        .isEqualTo(
            Map.ofEntries(
                Map.entry("0 0.0", 100L),
                Map.entry("0 0.5", 200L),
                Map.entry("0 0.999", 299L),
                Map.entry("100 0.0", 100L),
                Map.entry("100 0.5", 200L),
                Map.entry("100 0.999", 299L),
                Map.entry("300 0.0", 100L),
                Map.entry("300 0.5", 500L),
                Map.entry("300 0.999", 899L),
                Map.entry("5000 0.0", 100L),
                Map.entry("5000 0.5", 7550L),
                Map.entry("5000 0.999", 14_985L),
                Map.entry("20000 0.0", 100L),
                Map.entry("20000 0.5", 20_000L),
                Map.entry("20000 0.999", 20_000L)));
  }

  @Test
  void onlyTheFirstLostConnectionIsRepeatedAtOnce() {
    assertThat(millis(Case.failed(Kind.CONNECTION_LOST, 1), 0.5)).isZero();
    assertThat(millis(Case.failed(Kind.CONNECTION_LOST, 2), 0.5)).isEqualTo(200);
    Case afterThrottles =
        new Case(Kind.CONNECTION_LOST, Repeat.SHORTLY, new Failures(1, 3, 20), 0, 0);
    assertThat(millis(afterThrottles, 0.5)).isZero();
    assertThat(millis(Case.failed(Kind.SERVER_ERROR, 1), 0.5)).isEqualTo(200);
  }

  @Test
  void aThrottledRequestThatNobodyPacesBacksOffFromHalfASecondToTwenty() {
    assertThat(millis(Case.throttled(1), 0)).isEqualTo(250);
    assertThat(millis(Case.throttled(1), 0.5)).isEqualTo(375);
    assertThat(millis(Case.throttled(2), 0)).isEqualTo(500);
    assertThat(millis(Case.throttled(3), 0.5)).isEqualTo(1500);
    assertThat(millis(Case.throttled(6), 0)).isEqualTo(8000);
    assertThat(millis(Case.throttled(7), 0)).isEqualTo(10_000);
    assertThat(millis(Case.throttled(15), 0.5)).isEqualTo(15_000);
    assertThat(millis(Case.throttled(16), 0.5)).isEqualTo(-1);
    assertThat(decide(Case.throttled(16)).limit())
        .isEqualTo("without rate control, the limit is 16 throttled attempts per request");
  }

  @Test
  void aThrottledRequestThatIsPacedWaitsTwoSecondsAtMostAndMayDoSoAHundredTimes() {
    assertThat(millis(Case.paced(1), 0)).isEqualTo(25);
    assertThat(millis(Case.paced(1), 0.5)).isEqualTo(37);
    assertThat(millis(Case.paced(2), 0)).isEqualTo(50);
    assertThat(millis(Case.paced(6), 0)).isEqualTo(800);
    assertThat(millis(Case.paced(7), 0)).isEqualTo(1000);
    assertThat(millis(Case.paced(99), 0.5)).isEqualTo(1500);
    assertThat(millis(Case.paced(100), 0.5)).isEqualTo(-1);
    assertThat(decide(Case.paced(100)).limit())
        .isEqualTo("the limit is 100 throttled attempts per request");
  }

  @Test
  void throttledAndFailedAttemptsAreCountedApart() {
    Failures mixed = new Failures(1, 2, 30);
    assertThat(mixed.total()).isEqualTo(33);
    assertThat(mixed.plus(Kind.THROTTLED, Repeat.SHORTLY)).isEqualTo(new Failures(1, 2, 31));
    assertThat(mixed.plus(Kind.THROTTLED, Repeat.BACK_OFF)).isEqualTo(new Failures(1, 3, 30));
    assertThat(mixed.plus(Kind.SERVER_ERROR, Repeat.SHORTLY)).isEqualTo(new Failures(2, 2, 30));
    assertThat(millis(new Case(Kind.SERVER_ERROR, Repeat.SHORTLY, mixed, 0, 0), 0.5))
        .isEqualTo(200);
    // Pacing ended: what was throttled meanwhile is no reason to give up, nor to wait longer.
    Case noMorePaced = new Case(Kind.THROTTLED, Repeat.BACK_OFF, new Failures(23, 1, 60), 0, 0);
    assertThat(millis(noMorePaced, 0)).isEqualTo(250);
  }

  @Test
  void theLastAttemptIsTheTwentyFourth() {
    assertThat(decide(Case.failed(Kind.SERVER_ERROR, 23)).delay()).isPresent();
    assertThat(decide(Case.failed(Kind.SERVER_ERROR, 24)))
        .isEqualTo(new Decision(Optional.empty(), "penstock.retry.attempts.max=24"));
  }

  @Test
  void fewThrottlesAreTheEndWhereTheSettingSaysSo() {
    RetryDecider five =
        new RetryDecider(RetryConfig.from(Settings.of(Map.of("fs.s3.aimd.maxAttempts", "5"))));
    for (Case last : new Case[] {Case.throttled(5), Case.paced(5)}) {
      assertThat(five.next(last.facts(null, 0)).limit())
          .isEqualTo("the limit is 5 throttled attempts per request");
    }
    assertThat(five.next(Case.paced(4).facts(null, 0)).delay()).isPresent();
    RetryDecider patient =
        new RetryDecider(
            RetryConfig.from(Settings.of(Map.of("fs.s3a.aimd.maxAttempts", "150000"))));
    assertThat(patient.next(Case.paced(149_999).facts(null, 0)).delay())
        .contains(Duration.ofSeconds(1));
  }

  @Test
  void anEndpointThatHasNeverAnsweredIsTriedFourTimes() {
    assertThat(decide(Case.failed(Kind.UNREACHABLE, 3)).delay()).isPresent();
    assertThat(decide(Case.failed(Kind.UNREACHABLE, 4)).limit())
        .isEqualTo("an endpoint that has never answered is tried 4 times");
    RetryDecider two =
        new RetryDecider(RetryConfig.from(Settings.of(Map.of("penstock.retry.attempts.max", "2"))));
    assertThat(two.next(Case.failed(Kind.UNREACHABLE, 2).facts(null, 0)).limit())
        .isEqualTo("penstock.retry.attempts.max=2");
  }

  private static Facts ofKnownEndpoint(Failures failures, Duration elapsed) {
    return new Facts(
        Kind.UNREACHABLE,
        true,
        Repeat.BACK_OFF,
        failures,
        elapsed,
        Duration.ofSeconds(20),
        Optional.empty(),
        0.9);
  }

  @Test
  void anEndpointThatIsAwayIsWaitedForHoweverManyAttemptsItTakes() {
    Failures many = new Failures(0, 0, 0, 500);
    assertThat(decider.next(ofKnownEndpoint(many, Duration.ofSeconds(100))).delay())
        .contains(Duration.ofSeconds(20));
    assertThat(decider.next(ofKnownEndpoint(many, Duration.ofMinutes(3))).limit())
        .isEqualTo("penstock.retry.duration.max=180 s");
    Failures whileOthersAreServed = new Failures(24, 0, 0, 500);
    assertThat(decider.next(ofKnownEndpoint(whileOthersAreServed, Duration.ZERO)).limit())
        .isEqualTo("penstock.retry.attempts.max=24");
  }

  @Test
  void whoeverAllowsOneAttemptGetsOneAlsoInAnOutage() {
    RetryDecider once =
        new RetryDecider(RetryConfig.from(Settings.of(Map.of("penstock.retry.attempts.max", "1"))));
    Failures away = new Failures(0, 0, 0, 1);
    assertThat(once.next(ofKnownEndpoint(away, Duration.ZERO)).limit())
        .isEqualTo("penstock.retry.attempts.max=1");
  }

  @Test
  void theLastAttemptIsMadeWhenTheTimeIsOver() {
    Facts nearTheEnd = ofKnownEndpoint(new Failures(0, 0, 0, 9), Duration.ofSeconds(173));
    assertThat(decider.next(nearTheEnd).delay()).contains(Duration.ofSeconds(7));
  }

  @Test
  void aCommitHasMoreTimeThanOtherRequests() {
    RetryDecider ofCommits = new RetryDecider(RetryConfig.ofCommits(Settings.of(Map.of())));
    Failures many = new Failures(0, 0, 0, 500);
    assertThat(ofCommits.next(ofKnownEndpoint(many, Duration.ofSeconds(870))).delay())
        .contains(Duration.ofSeconds(20));
    assertThat(ofCommits.next(ofKnownEndpoint(many, Duration.ofMinutes(15))).limit())
        .isEqualTo("the limit for throttled requests, commits and checkpoints is 900 s");
  }

  @ParameterizedTest
  @CsvSource({"1m, 1, 15, 30", "20m, 20, 20, 30", "1h, 60, 60, 60"})
  void theLongerTimesGrowWithTheUsualOne(String set, int usual, int longer, int task) {
    Settings settings = Settings.of(Map.of("penstock.retry.duration.max", set));
    RetryConfig config = RetryConfig.from(settings);
    assertThat(config.durationMax()).isEqualTo(Duration.ofMinutes(usual));
    assertThat(config.throttledDurationMax()).isEqualTo(Duration.ofMinutes(longer));
    assertThat(config.taskDurationMax()).isEqualTo(Duration.ofMinutes(task));
    assertThat(RetryConfig.ofCommits(settings).durationMax()).isEqualTo(Duration.ofMinutes(longer));
    assertThat(RetryConfig.ofCommits(settings).durationName())
        .isEqualTo(usual < 15 ? RetryConfig.LONG_NAME : "penstock.retry.duration.max");
  }

  @Test
  void aShortWaitAfterFailuresShortensNoWaitThatTheStoreAsksFor() {
    RetryDecider quick =
        new RetryDecider(RetryConfig.from(Settings.of(Map.of("fs.s3a.retry.interval", "1ms"))));
    Case once = Case.throttled(1);
    assertThat(quick.next(once.facts(null, 0)).delay()).contains(Duration.ofMillis(250));
    assertThat(quick.next(once.facts(Duration.ofSeconds(10), 0)).delay())
        .contains(Duration.ofSeconds(10));
  }

  @ParameterizedTest
  @CsvSource({"1ms, 200", "100ms, 20000", "5s, 20000", "30s, 30000"})
  void theLongestWaitFollowsTheShortestOne(String shortest, long longestMillis) {
    RetryConfig config = RetryConfig.from(Settings.of(Map.of("fs.s3a.retry.interval", shortest)));
    assertThat(config.delayMax()).isEqualTo(Duration.ofMillis(longestMillis));
  }

  @Test
  void noAttemptStartsAfterTheLongestDuration() {
    Case failed = Case.failed(Kind.SERVER_ERROR, 2);
    assertThat(decide(failed.at(Duration.ofMillis(179_999))).delay())
        .contains(Duration.ofMillis(1));
    assertThat(decide(failed.at(Duration.ofMinutes(3))).limit())
        .isEqualTo("penstock.retry.duration.max=180 s");
  }

  @Test
  void aStoreThatRejectsByChanceIsAskedAgainAtOnceAsOftenAsItTakes() {
    Failures many = Failures.NONE;
    for (int i = 0; i < 500; i++) {
      many = many.plus(Kind.THROTTLED, Repeat.AT_ONCE);
    }
    Case struck = new Case(Kind.THROTTLED, Repeat.AT_ONCE, many, 0, 0);
    assertThat(millis(struck, 0)).isEqualTo(25);
    assertThat(millis(struck, 0.999)).isEqualTo(49);
    assertThat(decide(struck.at(Duration.ofMinutes(16))).limit())
        .isEqualTo("the limit for throttled requests, commits and checkpoints is 900 s");
    RetryDecider once =
        new RetryDecider(RetryConfig.from(Settings.of(Map.of("fs.s3.aimd.maxAttempts", "1"))));
    assertThat(once.next(struck.facts(null, 0)).limit())
        .isEqualTo("the limit is 1 throttled attempts per request");
  }

  @Test
  void aRequestThatWasThrottledHasMoreTimeAlsoForFailures() {
    Duration late = Duration.ofMinutes(14);
    assertThat(decide(Case.throttled(10).at(late)).delay()).isPresent();
    assertThat(decide(Case.paced(10).at(late)).delay()).isPresent();
    Case reset = new Case(Kind.CONNECTION_LOST, Repeat.BACK_OFF, new Failures(1, 0, 30), 0, 0);
    assertThat(decide(reset.at(late)).delay()).isPresent();
    // Whoever waits for permits may be old at its first failure.
    Case waited = new Case(Kind.SERVER_ERROR, Repeat.SHORTLY, new Failures(1, 0, 0), 0, 0);
    assertThat(decide(waited.at(late)).delay()).isPresent();
    assertThat(decide(Case.paced(10).at(Duration.ofMinutes(15))).limit())
        .isEqualTo("the limit for throttled requests, commits and checkpoints is 900 s");
  }

  @Test
  void theStoresOwnWishIsTheLeastThatIsWaited() {
    Facts long7 = Case.paced(1).facts(Duration.ofSeconds(7), 0.5);
    assertThat(decider.next(long7).delay()).contains(Duration.ofSeconds(7));
    Facts brief = Case.throttled(6).facts(Duration.ofSeconds(7), 0);
    assertThat(decider.next(brief).delay()).contains(Duration.ofSeconds(8));
    Facts lost = Case.failed(Kind.CONNECTION_LOST, 1).facts(Duration.ofSeconds(1), 0);
    assertThat(decider.next(lost).delay()).contains(Duration.ofSeconds(1));
    Facts excessive = Case.throttled(1).facts(Duration.ofHours(1), 0);
    assertThat(decider.next(excessive).delay()).contains(Duration.ofSeconds(20));
    Facts tooLate = Case.throttled(1).at(Duration.ofSeconds(881)).facts(Duration.ofHours(1), 0);
    assertThat(decider.next(tooLate).delay()).isEmpty();
  }

  @Test
  void absurdlyLongDelaysDoNotOverflowIntoNoWait() {
    RetryDecider patient =
        new RetryDecider(
            new RetryConfig(
                50,
                Duration.ofDays(9000),
                "penstock.retry.duration.max",
                Duration.ofDays(20_000),
                Duration.ofDays(2),
                100,
                Duration.ofDays(9000),
                Duration.ofDays(9000)));
    Facts facts = Case.failed(Kind.SERVER_ERROR, 30).facts(null, 0.5);
    assertThat(patient.next(facts).delay()).contains(Duration.ofDays(2));
  }
}
