/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.StoreException.Kind;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RetryDeciderTest {
  private static final RetryConfig CONFIG =
      new RetryConfig(12, Duration.ofMinutes(3), Duration.ofMillis(100), Duration.ofSeconds(20));
  private final RetryDecider decider = new RetryDecider(CONFIG);

  private Optional<Duration> next(Kind kind, int failed, double chance) {
    return decider.next(kind, failed, Duration.ZERO, chance);
  }

  @Test
  void eachKindOfFailureIsRepeatedOrNot() {
    Map<Kind, Boolean> repeated = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      repeated.put(kind, next(kind, 1, 0.5).isPresent());
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
                Map.entry(Kind.UNSUPPORTED, false),
                Map.entry(Kind.THROTTLED, true),
                Map.entry(Kind.UNREACHABLE, true),
                Map.entry(Kind.CONNECTION_LOST, true),
                Map.entry(Kind.SERVER_ERROR, true)));
  }

  @Test
  void theWaitDoublesFromHalfToAllOfTheDelayUpToTheLongest() {
    assertThat(next(Kind.SERVER_ERROR, 1, 0)).contains(Duration.ofMillis(50));
    assertThat(next(Kind.SERVER_ERROR, 1, 0.5)).contains(Duration.ofMillis(75));
    assertThat(next(Kind.SERVER_ERROR, 2, 0)).contains(Duration.ofMillis(100));
    assertThat(next(Kind.SERVER_ERROR, 3, 0)).contains(Duration.ofMillis(200));
    assertThat(next(Kind.SERVER_ERROR, 8, 0)).contains(Duration.ofMillis(6400));
    assertThat(next(Kind.SERVER_ERROR, 9, 0)).contains(Duration.ofSeconds(10));
    assertThat(next(Kind.SERVER_ERROR, 11, 0)).contains(Duration.ofSeconds(10));
    assertThat(next(Kind.SERVER_ERROR, 11, 0.999999).orElseThrow())
        .isBetween(Duration.ofMillis(19_999), Duration.ofSeconds(20));
  }

  @Test
  void aThrottledRequestWaitsFiveTimesAsLong() {
    assertThat(next(Kind.THROTTLED, 1, 0)).contains(Duration.ofMillis(250));
    assertThat(next(Kind.THROTTLED, 2, 0)).contains(Duration.ofMillis(500));
    assertThat(next(Kind.THROTTLED, 9, 0)).contains(Duration.ofSeconds(10));
  }

  @Test
  void theLastAttemptIsTheTwelfth() {
    assertThat(next(Kind.SERVER_ERROR, 11, 0)).isPresent();
    assertThat(next(Kind.SERVER_ERROR, 12, 0)).isEmpty();
  }

  @Test
  void anEndpointThatCannotBeReachedIsTriedFourTimes() {
    assertThat(next(Kind.UNREACHABLE, 3, 0)).isPresent();
    assertThat(next(Kind.UNREACHABLE, 4, 0)).isEmpty();
    RetryConfig two =
        new RetryConfig(2, Duration.ofMinutes(3), Duration.ofMillis(1), Duration.ofSeconds(1));
    assertThat(new RetryDecider(two).next(Kind.UNREACHABLE, 2, Duration.ZERO, 0)).isEmpty();
  }

  @Test
  void noAttemptStartsAfterTheLongestDuration() {
    assertThat(decider.next(Kind.SERVER_ERROR, 1, Duration.ofMillis(179_950), 0)).isPresent();
    assertThat(decider.next(Kind.SERVER_ERROR, 1, Duration.ofMillis(179_951), 0)).isEmpty();
  }

  @Test
  void absurdlyLongDelaysDoNotOverflowIntoNoWait() {
    RetryConfig patient =
        new RetryConfig(50, Duration.ofDays(9000), Duration.ofHours(3), Duration.ofDays(2));
    Optional<Duration> wait =
        new RetryDecider(patient).next(Kind.SERVER_ERROR, 30, Duration.ZERO, 0);
    assertThat(wait).contains(Duration.ofDays(1));
  }
}
