/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.attempt.Cancellation;
import io.penstock.core.endpoint.Presence;
import io.penstock.core.metrics.StoreMetrics;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.ObjectStoreContract;
import io.penstock.core.store.Operation;
import io.penstock.core.store.Part;
import io.penstock.core.store.PartNumbering;
import io.penstock.core.store.PendingUpload;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.Upload;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RetryingStoreTest {
  /** 5 attempts in 30 s, 100 ms to 8 s apart; throttled 20 in 60 s; 90 s a task. */
  static final RetryConfig CONFIG =
      new RetryConfig(
          5,
          Duration.ofSeconds(30),
          "retry.duration.max",
          Duration.ofMillis(100),
          Duration.ofSeconds(8),
          20,
          Duration.ofSeconds(60),
          Duration.ofSeconds(90));

  private static final byte[] OURS = {1, 2, 3};
  private static final byte[] FOREIGN = {4, 5, 6};
  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final InMemoryStore bare = new InMemoryStore("lake", time);
  private final FaultyStore faulty = new FaultyStore(bare);
  private final RetryingStore store =
      new RetryingStore(faulty, CONFIG, time, new SplittableRandom(7));

  @Nested
  class Contract extends ObjectStoreContract {
    @Override
    protected ObjectStore openStore() {
      return new RetryingStore(
          new InMemoryStore("lake", time), CONFIG, time, new SplittableRandom(7));
    }
  }

  static void assertFails(Kind kind, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind));
  }

  private byte[] bytesOf(String key) throws IOException {
    return bare.get(key, new ByteRange(0, 100), Optional.empty()).bytes();
  }

  @Test
  void aThrottledRequestIsRepeatedUntilItGoesWell() throws IOException {
    faulty
        .failBefore(Operation.PUT, 1, Kind.THROTTLED)
        .failBefore(Operation.PUT, 2, Kind.THROTTLED);

    store.put("a", Body.ofBytes(OURS), Condition.NONE);

    assertThat(faulty.requests()).isEqualTo(Map.of(Operation.PUT, 3));
    assertThat(bytesOf("a")).isEqualTo(OURS);
    // 250 to 500 ms, then 500 to 1,000 ms.
    assertThat(Duration.ofNanos(time.nowNanos()))
        .isBetween(Duration.ofMillis(750), Duration.ofMillis(1500));
  }

  @Test
  void whatWillFailAgainIsNotRepeated() {
    faulty.failAlways(Operation.HEAD, Kind.ACCESS_DENIED);

    assertThatThrownBy(() -> store.head("a"))
        .hasMessage("HEAD s3://lake/a: scripted ACCESS_DENIED.");

    assertThat(faulty.requests()).isEqualTo(Map.of(Operation.HEAD, 1));
    assertThat(time.nowNanos()).isZero();
  }

  /** The store while its endpoint serves somebody else before each of our requests. */
  private RetryingStore besideOthers() {
    Presence presence = Presence.alone();
    ObjectStore busy =
        new StoreWrapper(faulty) {
          @Override
          protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
              throws IOException {
            presence.served(time.nowNanos(), time.nowNanos());
            return call.run();
          }
        };
    return new RetryingStore(
        busy, CONFIG, Pacing.NONE, presence, LostCreations.NONE, time, new SplittableRandom(7));
  }

  @Test
  void givingUpNamesAttemptsTimeAndTheSettingsToChange() {
    faulty.failAlways(Operation.HEAD, Kind.SERVER_ERROR);
    RetryingStore besideOthers = besideOthers();

    assertThatThrownBy(() -> besideOthers.head("a"))
        .isInstanceOf(StoreException.class)
        .hasMessageMatching(
            "HEAD s3://lake/a: scripted SERVER_ERROR\\. Gave up after 5 attempts in"
                + " \\d\\.\\d s \\(retry\\.attempts\\.max=5\\)\\.")
        .cause()
        .hasMessage("HEAD s3://lake/a: scripted SERVER_ERROR.");

    assertThat(faulty.requests()).isEqualTo(Map.of(Operation.HEAD, 5));
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
    RetryingStore impatient = new RetryingStore(faulty, hasty, time, new SplittableRandom(7));
    faulty.failAlways(Operation.HEAD, Kind.CONNECTION_LOST);

    assertFails(Kind.CONNECTION_LOST, () -> impatient.head("a"));

    // None, then 2 s each.
    assertThat(faulty.requests().get(Operation.HEAD)).isEqualTo(7);
    assertThat(Duration.ofNanos(time.nowNanos())).isEqualTo(Duration.ofSeconds(10));
  }

  /** Fails in one way until the end of an outage. */
  private ObjectStore awayFor(Duration outage, Kind kind) {
    return new StoreWrapper(faulty) {
      @Override
      protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
          throws IOException {
        boolean isAway = time.nowNanos() > 0 && time.nowNanos() < outage.toNanos();
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
      RetryingStoreTest run = new RetryingStoreTest();
      RetryingStore waiting =
          new RetryingStore(
              run.awayFor(Duration.ofSeconds(28), kind), CONFIG, run.time, new SplittableRandom(7));
      waiting.put("a", Body.ofBytes(OURS), Condition.NONE);
      run.time.advance(Duration.ofMillis(1));

      assertThat(waiting.head("a").sizeBytes()).isEqualTo(3);

      assertThat(Duration.ofNanos(run.time.nowNanos()))
          .isGreaterThanOrEqualTo(Duration.ofSeconds(28));
    }
  }

  @Test
  void aPartIsRepeatedUnderAnotherNumber() throws IOException {
    Upload upload = bare.createUpload("a");
    faulty.failBefore(Operation.UPLOAD_PART, 1, Kind.CONNECTION_LOST);
    Part repeated = store.uploadPart(upload, PartNumbering.SPACED.of(1), Body.ofBytes(OURS));
    Part once = store.uploadPart(upload, PartNumbering.SPACED.of(2), Body.ofBytes(OURS));
    assertThat(repeated.number()).isEqualTo(13);
    assertThat(once.number()).isEqualTo(17);
  }

  @Test
  void anEndpointThatNeverAnsweredIsGivenUpSoon() throws IOException {
    time.advance(Duration.ofMillis(1));
    ObjectStore wrong = awayFor(Duration.ofHours(1), Kind.UNREACHABLE);
    RetryingStore asking = new RetryingStore(wrong, CONFIG, time, new SplittableRandom(7));

    assertThat(asking.supportsConditionalWrites()).isTrue(); // known without a request
    assertThatThrownBy(() -> asking.head("a"))
        .hasMessageContaining("Gave up after 4 attempts")
        .hasMessageContaining("(an endpoint that has never answered is tried 4 times)");
  }

  @Test
  void aRequestWhoseWorkIsCalledOffStopsWaitingForItsRetry() {
    faulty.failAlways(Operation.HEAD, Kind.THROTTLED);
    Cancellation task =
        new Cancellation("the task was killed", () -> time.nowNanos() >= 6_000_000_000L);

    assertThatThrownBy(() -> task.run(() -> store.head("a")))
        .isInstanceOf(InterruptedIOException.class)
        .hasMessage("the task was killed");

    assertThat(Duration.ofNanos(time.nowNanos()))
        .isBetween(Duration.ofSeconds(6), Duration.ofMillis(6_050));
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void anInterruptDuringTheWaitEndsIt() {
    faulty.failAlways(Operation.HEAD, Kind.SERVER_ERROR);
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> store.head("a"))
        .isInstanceOf(InterruptedIOException.class)
        .hasMessage("interrupted while waiting to retry")
        .hasRootCauseMessage("HEAD s3://lake/a: scripted SERVER_ERROR.");

    assertThat(Thread.interrupted()).isTrue();
    assertThat(faulty.requests()).isEqualTo(Map.of(Operation.HEAD, 1));
  }

  @Test
  void ourConditionalPutWhoseAnswerWasLostIsNoConflict() throws IOException {
    for (Kind lost : List.of(Kind.CONNECTION_LOST, Kind.SERVER_ERROR)) {
      faulty.reset();
      bare.delete("once");
      faulty.failAfter(Operation.PUT, 1, lost);

      String etag = store.put("once", Body.ofBytes(OURS), Condition.IF_ABSENT);

      assertThat(etag).isEqualTo(bare.head("once").etag());
      assertThat(faulty.log()).containsExactly("PUT once", "PUT once", "HEAD once");
    }
  }

  @Test
  void ourReplacementWhoseAnswerWasLostIsNoConflict() throws IOException {
    String old = bare.put("object", Body.ofBytes(FOREIGN), Condition.NONE);
    faulty.failAfter(Operation.PUT, 1, Kind.CONNECTION_LOST);

    store.put("object", Body.ofBytes(OURS), Condition.ifMatch(old));

    assertThat(bytesOf("object")).isEqualTo(OURS);
  }

  @Test
  void aForeignObjectIsNotTakenForOurLostPut() throws IOException {
    faulty.failBefore(Operation.PUT, 1, Kind.CONNECTION_LOST);
    bare.put("once", Body.ofBytes(FOREIGN), Condition.NONE);

    assertFails(
        Kind.PRECONDITION_FAILED, () -> store.put("once", Body.ofBytes(OURS), Condition.IF_ABSENT));

    assertThat(bytesOf("once")).isEqualTo(FOREIGN);
  }

  @Test
  void ofTwoWritersOfTheSameBytesOnlyOneWinsThoughTheOtherLostItsAnswer() throws IOException {
    faulty.failBefore(Operation.PUT, 1, Kind.CONNECTION_LOST);
    RetryingStore other = new RetryingStore(bare, CONFIG, time, new SplittableRandom(8));
    other.put("once", Body.ofBytes(OURS), Condition.IF_ABSENT);

    assertFails(
        Kind.PRECONDITION_FAILED, () -> store.put("once", Body.ofBytes(OURS), Condition.IF_ABSENT));
  }

  @Test
  void everyConditionalWriteHasItsOwnMarkAndAPlainOneHasNone() throws IOException {
    store.put("a", Body.ofBytes(OURS), Condition.IF_ABSENT);
    store.put("b", Body.ofBytes(OURS), Condition.IF_ABSENT);
    store.put("c", Body.ofBytes(OURS), Condition.NONE);

    assertThat(bare.head("a").mark().orElseThrow()).matches("[0-9a-f]{32}");
    assertThat(bare.head("b").mark()).isPresent().isNotEqualTo(bare.head("a").mark());
    assertThat(bare.head("c").mark()).isEmpty();
  }

  @Test
  void aConflictAtTheEndIsLookedIntoWhenAnAnswerWasLost() throws IOException {
    faulty.failAfter(Operation.PUT, 1, Kind.CONNECTION_LOST);
    for (int number = 2; number <= 5; number++) {
      faulty.failBefore(Operation.PUT, number, Kind.CONFLICT);
    }
    String etag = store.put("once", Body.ofBytes(OURS), Condition.IF_ABSENT);
    assertThat(etag).isEqualTo(bare.head("once").etag());
  }

  @Test
  void aConflictWithoutALostAnswerIsNotLookedInto() throws IOException {
    bare.put("once", Body.ofBytes(OURS), Condition.NONE);

    assertFails(
        Kind.PRECONDITION_FAILED, () -> store.put("once", Body.ofBytes(OURS), Condition.IF_ABSENT));

    assertThat(faulty.requests()).isEqualTo(Map.of(Operation.PUT, 1));
  }

  @Test
  void anObjectThatIsGoneAgainIsNotOurWriteAndTheStoresAnswerStands() throws IOException {
    faulty
        .failBefore(Operation.PUT, 1, Kind.CONNECTION_LOST)
        .failBefore(Operation.HEAD, 1, Kind.NO_SUCH_KEY);
    bare.put("once", Body.ofBytes(FOREIGN), Condition.NONE);

    assertThatThrownBy(() -> store.put("once", Body.ofBytes(OURS), Condition.IF_ABSENT))
        .hasMessageStartingWith("PUT s3://lake/once")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
  }

  @Test
  void anUnconditionalPutThatWasDoneIsSimplyDoneAgain() throws IOException {
    faulty.failAfter(Operation.PUT, 1, Kind.CONNECTION_LOST);
    store.put("a", Body.ofBytes(OURS), Condition.NONE);
    assertThat(faulty.log()).containsExactly("PUT a", "PUT a");
  }

  @Test
  void aWriteThatAProxyAnsweredAsThrottledAfterItWasDoneIsNoConflict() throws IOException {
    faulty.failAfter(Operation.PUT, 1, Kind.THROTTLED);
    String etag = store.put("once", Body.ofBytes(OURS), Condition.IF_ABSENT);
    assertThat(etag).isEqualTo(bare.head("once").etag());

    Upload upload = bare.createUpload("object");
    Part part = bare.uploadPart(upload, 1, Body.ofBytes(OURS));
    PendingUpload pending = new PendingUpload(upload, List.of(part));
    faulty.failAfter(Operation.COMPLETE_UPLOAD, 1, Kind.THROTTLED);
    assertThat(store.completeUpload(pending, Condition.NONE)).isEqualTo(bare.head("object").etag());
  }

  /** Answers deleteAll with these failures, one answer after the other, then without any. */
  private ObjectStore refusingDeletions(List<Map<String, Kind>> answers, List<List<String>> asked) {
    return new StoreWrapper(faulty) {
      @Override
      public Map<String, StoreException> deleteAll(List<String> keys) {
        Map<String, StoreException> failures = new LinkedHashMap<>();
        if (asked.size() < answers.size()) {
          answers
              .get(asked.size())
              .forEach(
                  (key, kind) ->
                      failures.put(
                          key,
                          StoreException.of(kind, Operation.DELETE_ALL, key, "scripted " + kind)));
        }
        asked.add(List.copyOf(keys));
        return failures;
      }
    };
  }

  @Test
  void keysThatFailInsideAGoodAnswerAreRepeatedAlone() throws IOException {
    List<List<String>> asked = new ArrayList<>();
    ObjectStore inner =
        refusingDeletions(
            List.of(
                Map.of("b", Kind.SERVER_ERROR, "c", Kind.THROTTLED, "d", Kind.ACCESS_DENIED),
                Map.of("c", Kind.THROTTLED)),
            asked);
    RetryingStore retrying = new RetryingStore(inner, CONFIG, time, new SplittableRandom(7));

    Map<String, StoreException> failed = retrying.deleteAll(List.of("a", "b", "c", "d"));

    assertThat(asked).containsExactly(List.of("a", "b", "c", "d"), List.of("b", "c"), List.of("c"));
    assertThat(failed).containsOnlyKeys("d");
    assertThat(failed.get("d").kind()).isEqualTo(Kind.ACCESS_DENIED);
    // A throttled key waits as a throttled request does: 250 to 500 ms, then 500 to 1,000 ms.
    assertThat(Duration.ofNanos(time.nowNanos()))
        .isBetween(Duration.ofMillis(750), Duration.ofMillis(1500));
  }

  @Test
  void keysThatFailInEveryAnswerAreGivenUpAndReturned() throws IOException {
    List<List<String>> asked = new ArrayList<>();
    ObjectStore inner =
        refusingDeletions(Collections.nCopies(100, Map.of("b", Kind.SERVER_ERROR)), asked);
    RetryingStore retrying = new RetryingStore(inner, CONFIG, time, new SplittableRandom(7));

    Map<String, StoreException> failed = retrying.deleteAll(List.of("a", "b"));

    assertThat(asked).hasSize(5);
    assertThat(failed).containsOnlyKeys("b");
    assertThat(failed.get("b")).hasMessageContaining("Gave up after 5 attempts");
  }

  @Test
  void aFailureOfAKeyThatWasNotAskedForIsReturnedAndNotRepeated() throws IOException {
    List<List<String>> asked = new ArrayList<>();
    ObjectStore inner = refusingDeletions(List.of(Map.of("%61", Kind.SERVER_ERROR)), asked);
    RetryingStore retrying = new RetryingStore(inner, CONFIG, time, new SplittableRandom(7));

    assertThat(retrying.deleteAll(List.of("a"))).containsOnlyKeys("%61");
    assertThat(asked).containsExactly(List.of("a"));
  }

  @Test
  void aFailureThatIsNotTheStoresIsNotRepeated() {
    Body broken =
        new Body() {
          @Override
          public long sizeBytes() {
            return 3;
          }

          @Override
          public java.io.InputStream open() throws IOException {
            throw new IOException("the disk is gone");
          }
        };
    assertThatThrownBy(() -> store.put("a", broken, Condition.NONE)).hasMessage("the disk is gone");
    assertThat(faulty.requests()).isEqualTo(Map.of(Operation.PUT, 1));
  }

  @Test
  void aFirstLostConnectionIsRepeatedAtOnce() throws IOException {
    bare.put("a", Body.ofBytes(OURS), Condition.NONE);
    faulty.failBefore(Operation.HEAD, 1, Kind.CONNECTION_LOST);

    store.head("a");

    assertThat(time.nowNanos()).isZero();
    assertThat(faulty.requests()).isEqualTo(Map.of(Operation.HEAD, 2));
  }

  @Test
  void aPacedRequestIsThrottledManyTimesAndStillHasAllItsAttemptsToFail() throws IOException {
    bare.put("a", Body.ofBytes(OURS), Condition.NONE);
    for (int number = 1; number <= 19; number++) {
      faulty.failBefore(Operation.HEAD, number, Kind.THROTTLED);
    }
    for (int number = 20; number <= 23; number++) {
      faulty.failBefore(Operation.HEAD, number, Kind.CONNECTION_LOST);
    }
    List<String> asked = new ArrayList<>();
    StoreMetrics metrics = new StoreMetrics();
    RetryingStore paced =
        new RetryingStore(
            faulty,
            CONFIG,
            (operation, key) -> {
              asked.add(operation + " " + key);
              return new Pacing.Standing(Repeat.SHORTLY, Optional.empty());
            },
            Presence.alone(),
            LostCreations.NONE,
            time,
            new SplittableRandom(7),
            metrics);

    paced.head("a");

    assertThat(faulty.requests()).isEqualTo(Map.of(Operation.HEAD, 24));
    assertThat(asked).hasSize(23).containsOnly("HEAD a");
    // 1.6 to 3.2 s for the first six, 1 to 2 s for each of thirteen, and what the failures waited.
    StoreMetrics.Retries retries = metrics.retries().get(Operation.HEAD);
    assertThat(retries).isEqualTo(new StoreMetrics.Retries(4, 19, time.nowNanos()));
    assertThat(Duration.ofNanos(time.nowNanos()))
        .isBetween(Duration.ofSeconds(14), Duration.ofSeconds(34));
  }

  @Test
  void theStoreIsLeftAloneForAsLongAsItAsks() throws IOException {
    bare.put("a", Body.ofBytes(OURS), Condition.NONE);
    AtomicInteger requests = new AtomicInteger();
    ObjectStore busy =
        new StoreWrapper(bare) {
          @Override
          protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
              throws IOException {
            if (requests.incrementAndGet() == 1) {
              throw StoreException.of(Kind.THROTTLED, operation, key, "busy")
                  .retryAfter(Duration.ofSeconds(5));
            }
            return call.run();
          }
        };

    new RetryingStore(busy, CONFIG, time, new SplittableRandom(7)).head("a");

    assertThat(Duration.ofNanos(time.nowNanos())).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void aTaskThatHasWaitedForAllItsTimeWaitsNoMore() {
    faulty.failAlways(Operation.HEAD, Kind.THROTTLED);
    RetryBudget.begin();
    try {
      assertThatThrownBy(() -> store.head("a"))
          .hasMessageContaining("retry.throttled.duration.max=60 s");
      assertThatThrownBy(() -> store.head("b"))
          .hasMessageMatching(
              ".* Gave up after \\d+ attempts, \\d+ of them throttled, in [23]\\d\\.\\d s \\(the task"
                  + " has waited for 9\\d s in all, retry\\.task\\.duration\\.max=90 s\\)\\.");
      assertThat(Duration.ofNanos(time.nowNanos())).isLessThanOrEqualTo(Duration.ofSeconds(90));
    } finally {
      RetryBudget.end();
    }
  }
}
