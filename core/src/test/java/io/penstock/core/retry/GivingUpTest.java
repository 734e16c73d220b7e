/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import static io.penstock.core.retry.Fixture.CONFIG;
import static io.penstock.core.retry.Fixture.OURS;
import static io.penstock.core.retry.Fixture.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.caller.Caller;
import io.penstock.core.caller.Cancellation;
import io.penstock.core.caller.Origin;
import io.penstock.core.endpoint.EndpointHealth;
import io.penstock.core.sending.LayeredStore;
import io.penstock.core.sending.LayeredStores;
import io.penstock.core.sending.LostCreations;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The limits of retrying, and what ends it before they are met. */
class GivingUpTest {
  private final Fixture s3 = new Fixture();

  /** The store while its endpoint serves somebody else before each of our requests. */
  private LayeredStore besideOthers() {
    EndpointHealth presence = EndpointHealth.alone();
    ObjectStore busy =
        new StoreWrapper(s3.faulty) {
          @Override
          protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
              throws IOException {
            presence.served(s3.time.nowNanos(), s3.time.nowNanos());
            return call.run();
          }
        };
    return LayeredStores.retrying(
        busy, CONFIG, presence, LostCreations.NONE, s3.time, new SplittableRandom(7));
  }

  @Test
  void givingUpNamesAttemptsTimeAndTheSettingsToChange() {
    s3.faulty.failAlways(Operation.HEAD, Kind.SERVER_ERROR);
    LayeredStore besideOthers = besideOthers();

    assertThatThrownBy(() -> besideOthers.head("a"))
        .isInstanceOf(StoreException.class)
        .hasMessageMatching(
            "HEAD s3://lake/a: scripted SERVER_ERROR\\. Gave up after 5 attempts in"
                + " \\d\\.\\d s \\(penstock\\.retry\\.attempts\\.max=5\\)\\.")
        .cause()
        .hasMessage("HEAD s3://lake/a: scripted SERVER_ERROR.");

    assertThat(s3.faulty.requests()).isEqualTo(Map.of(Operation.HEAD, 5));
  }

  @Test
  void noAttemptStartsAfterTheLongestDuration() {
    RetryConfig hasty =
        new RetryConfig(
            1000,
            Duration.ofSeconds(10),
            "retry.duration.max",
            Duration.ofSeconds(2),
            Duration.ofSeconds(2),
            100,
            Duration.ofSeconds(10),
            Duration.ofSeconds(10));
    LayeredStore impatient =
        LayeredStores.retrying(s3.faulty, hasty, s3.time, new SplittableRandom(7));
    s3.faulty.failAlways(Operation.HEAD, Kind.CONNECTION_LOST);

    assertFails(Kind.CONNECTION_LOST, () -> impatient.head("a"));

    // None, then 2 s each.
    assertThat(s3.faulty.requests().get(Operation.HEAD)).isEqualTo(7);
    assertThat(Duration.ofNanos(s3.time.nowNanos())).isEqualTo(Duration.ofSeconds(10));
  }

  /** Fails in one way until the end of an outage. */
  private static ObjectStore awayFor(Fixture s3, Duration outage, Kind kind) {
    return new StoreWrapper(s3.faulty) {
      @Override
      protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
          throws IOException {
        boolean isAway = s3.time.nowNanos() > 0 && s3.time.nowNanos() < outage.toNanos();
        if (isAway) {
          throw StoreException.of(kind, operation, "s3://lake/" + key, "away.");
        }
        return call.run();
      }
    };
  }

  @Test
  void aStoreThatHasAnsweredIsWaitedForUntilItIsBack() throws IOException {
    for (Kind kind : List.of(Kind.UNREACHABLE, Kind.CONNECTION_LOST)) {
      Fixture run = new Fixture();
      LayeredStore waiting = run.retrying(awayFor(run, Duration.ofSeconds(28), kind));
      waiting.put("a", Body.ofBytes(OURS), Condition.NONE);
      run.time.advance(Duration.ofMillis(1));

      assertThat(waiting.head("a").sizeBytes()).isEqualTo(3);

      assertThat(Duration.ofNanos(run.time.nowNanos()))
          .isGreaterThanOrEqualTo(Duration.ofSeconds(28));
    }
  }

  @Test
  void anEndpointThatNeverAnsweredIsGivenUpSoon() throws IOException {
    s3.time.advance(Duration.ofMillis(1));
    ObjectStore wrong = awayFor(s3, Duration.ofHours(1), Kind.UNREACHABLE);
    LayeredStore asking = s3.retrying(wrong);

    assertThat(asking.supportsConditionalWrites("key")).isTrue(); // known without a request
    assertThatThrownBy(() -> asking.head("a"))
        .hasMessageContaining("Gave up after 4 attempts")
        .hasMessageContaining("(an endpoint that has never answered is tried 4 times)");
  }

  @Test
  void aRequestWhoseWorkIsCalledOffStopsWaitingForItsRetry() {
    s3.faulty.failAlways(Operation.HEAD, Kind.THROTTLED);
    Cancellation task =
        new Cancellation("the task was killed", () -> s3.time.nowNanos() >= 6_000_000_000L);

    assertThatThrownBy(() -> task.run(() -> s3.store.head("a")))
        .isInstanceOf(InterruptedIOException.class)
        .hasMessage("the task was killed");

    assertThat(Duration.ofNanos(s3.time.nowNanos()))
        .isBetween(Duration.ofSeconds(6), Duration.ofMillis(6_050));
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void anInterruptDuringTheWaitEndsIt() {
    s3.faulty.failAlways(Operation.HEAD, Kind.SERVER_ERROR);
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> s3.store.head("a"))
        .isInstanceOf(InterruptedIOException.class)
        .hasMessage("interrupted while waiting to retry")
        .hasRootCauseMessage("HEAD s3://lake/a: scripted SERVER_ERROR.");

    assertThat(Thread.interrupted()).isTrue();
    assertThat(s3.faulty.requests()).isEqualTo(Map.of(Operation.HEAD, 1));
  }

  @Test
  void aTaskThatHasWaitedForAllItsTimeWaitsNoMore() {
    s3.faulty.failAlways(Operation.HEAD, Kind.THROTTLED);
    Caller.beginTask(Origin.NONE);
    try {
      assertThatThrownBy(() -> s3.store.head("a"))
          .hasMessageContaining(
              "the limit for throttled requests, commits and checkpoints is 60 s");
      assertThatThrownBy(() -> s3.store.head("b"))
          .hasMessageMatching(
              ".* Gave up after \\d+ attempts, \\d+ of them throttled, in [2-4]\\d\\.\\d s \\(all"
                  + " retries of the task have waited for 9\\d s in all; the limit is 90 s\\)\\.");
      assertThat(Duration.ofNanos(s3.time.nowNanos())).isLessThanOrEqualTo(Duration.ofSeconds(90));
    } finally {
      Caller.endTask();
    }
  }
}
