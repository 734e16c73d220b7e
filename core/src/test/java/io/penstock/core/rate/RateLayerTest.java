/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.caller.Cancellation;
import io.penstock.core.metrics.RequestEvent;
import io.penstock.core.metrics.RequestEvents;
import io.penstock.core.metrics.StoreMetrics;
import io.penstock.core.rate.report.GroupId;
import io.penstock.core.rate.report.Lease;
import io.penstock.core.rate.report.RateReport;
import io.penstock.core.rate.report.Share;
import io.penstock.core.rate.report.Traffic;
import io.penstock.core.request.Attempt;
import io.penstock.core.request.Repeat;
import io.penstock.core.request.RunningAttempt;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.ObjectStoreContract;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.Time;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RateLayerTest {
  private static final GroupId WRITES = new GroupId("lake", Traffic.WRITE);
  private static final GroupId READS = new GroupId("lake", Traffic.READ);

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final FaultyStore faulty = new FaultyStore(new InMemoryStore("lake", time));
  private final StoreMetrics metrics = new StoreMetrics();
  private final RequestEvents events = new RequestEvents();
  private final RateControl control = new RateControl();
  private final RateConfig config =
      PacedStore.patient(RateConfig.defaults(), Duration.ofMinutes(1), Duration.ofSeconds(20));
  private final PacedStore store = new PacedStore(faulty, control, config, time, metrics, events);

  @Nested
  class Contract extends ObjectStoreContract {
    @Override
    protected ObjectStore openStore() {
      return new PacedStore(
          new InMemoryStore("lake", time), new RateControl(), config, time, metrics, events);
    }
  }

  private void put(String key) throws IOException {
    store.put(key, Body.ofBytes(new byte[1]), Condition.NONE);
  }

  private void lease(GroupId id, double rate) {
    Share share = new Share("", Share.Mode.PACED, rate);
    control.follow(
        Map.of(id, new Lease(List.of(share), 1, Double.POSITIVE_INFINITY)), time.nowNanos());
  }

  private double seconds() {
    return time.nowNanos() / 1e9;
  }

  @Test
  void nothingWaitsWhileNothingIsThrottled() throws IOException {
    for (int i = 0; i < 100; i++) {
      put("k" + i);
    }
    assertThat(seconds()).isZero();
    assertThat(metrics.waits()).isEqualTo(new StoreMetrics.Waits(0, 0));
  }

  @Test
  void requestsGoOutAtTheAllowedRate() throws IOException {
    lease(WRITES, 10);
    for (int i = 0; i < 21; i++) {
      put("k" + i);
    }
    assertThat(seconds()).isBetween(1.99, 2.05);
    assertThat(metrics.waits().times()).isEqualTo(20);
  }

  @Test
  void aWaitIsTold() throws IOException {
    List<RequestEvent> told = new java.util.ArrayList<>();
    events.add(told::add);
    lease(WRITES, 10);
    put("a");
    put("b");
    assertThat(told).singleElement().matches(event -> event.outcome().equals("WAITED"));
    assertThat(told.get(0).key()).isEqualTo("b");
    assertThat(told.get(0).started()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
    assertThat(told.get(0).nanos()).isBetween(99_000_000L, 101_000_000L);
  }

  @Test
  void readsDoNotWaitForWrites() throws IOException {
    put("k");
    lease(WRITES, 1);
    for (int i = 0; i < 100; i++) {
      store.head("k");
    }
    assertThat(seconds()).isZero();
  }

  @Test
  void aThrottledAnswerIsReportedAndAFailureOfTheNetworkIsNot() {
    faulty.failBefore(Operation.PUT, 1, Kind.THROTTLED);
    faulty.failBefore(Operation.PUT, 2, Kind.CONNECTION_LOST);
    faulty.failBefore(Operation.PUT, 3, Kind.SERVER_ERROR);
    faulty.failBefore(Operation.PUT, 4, Kind.THROTTLED);
    for (int i = 0; i < 4; i++) {
      assertThatThrownBy(() -> put("k")).isInstanceOf(StoreException.class);
    }
    assertThat(control.report(0).get(WRITES).partitions())
        .containsExactly(new RateReport.Seen("", 1, 2, 0));
    assertThat(store.repeatOf(Operation.PUT, "k")).isEqualTo(Repeat.SHORTLY);
    assertThat(store.repeatOf(Operation.GET, "k")).isEqualTo(Repeat.BACK_OFF);
  }

  @Test
  void aFailedAttemptKnowsWhatTheRetriesShouldDo() {
    faulty.failAlways(Operation.PUT, Kind.THROTTLED);
    assertThatThrownBy(() -> put("k")).isInstanceOf(StoreException.class);
    Attempt attempt = new Attempt();
    StoreException refusal = StoreException.of(Kind.THROTTLED, Operation.PUT, "s3://lake/k", "no.");
    assertThatThrownBy(
            () ->
                RunningAttempt.through(
                    store.layer(),
                    Operation.PUT,
                    attempt,
                    own -> {
                      throw refusal;
                    }))
        .isSameAs(refusal);
    assertThat(attempt.advice().repeat()).isEqualTo(Repeat.SHORTLY);
  }

  @Test
  void aBulkDeleteWeighsAsManyAsItsKeys() throws IOException {
    lease(WRITES, 100);
    store.deleteAll(IntStream.range(0, 200).mapToObj(i -> "k" + i).toList());
    put("next");
    assertThat(seconds()).isBetween(1.9, 2.1);
  }

  @Test
  void keysThatWereThrottledInsideAGoodAnswerCount() throws IOException {
    ObjectStore half =
        new io.penstock.core.store.StoreWrapper(faulty) {
          @Override
          public Map<String, StoreException> deleteAll(Map<String, Condition> keys) {
            return Map.of(
                "a", StoreException.of(Kind.THROTTLED, Operation.DELETE_ALL, "s3://lake/a", "no."));
          }
        };
    new PacedStore(half, control, config, time, metrics, events).deleteAll(List.of("a", "b", "c"));
    assertThat(control.report(0).get(WRITES).partitions())
        .containsExactly(new RateReport.Seen("", 2, 1, 0));
  }

  @Test
  void aWaitHasACeilingAndAnErrorThatSaysWhatToDo() throws IOException {
    lease(WRITES, 0.01);
    put("first");
    assertThatThrownBy(() -> put("second"))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(StoreException.class)
        .hasMessageContaining("PUT s3://lake/second: gave up after waiting 20 s for a permit")
        .hasMessageContaining("more prefixes");
    assertThat(control.report(time.nowNanos()).get(WRITES).partitions().get(0).waiting()).isZero();
  }

  @Test
  void anAttemptThatIsCutStopsWaiting() throws IOException {
    lease(WRITES, 0.01);
    put("first");
    Attempt attempt = new Attempt();
    attempt.cut("another one was faster");
    assertThatThrownBy(
            () -> RunningAttempt.through(store.layer(), Operation.PUT, attempt, own -> "sent"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("cut short while it waited");
    assertThat(seconds()).isLessThan(1);
  }

  @Test
  void aRequestWhoseWorkIsCalledOffStopsWaiting() throws IOException {
    lease(WRITES, 0.01);
    put("first");
    Cancellation task = new Cancellation("the task was killed", () -> seconds() >= 2);
    assertThatThrownBy(
            () ->
                task.run(
                    () -> {
                      put("second");
                      return null;
                    }))
        .isInstanceOf(InterruptedIOException.class)
        .hasMessage("the task was killed");
    assertThat(seconds()).isBetween(2.0, 2.1);
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void anInterruptEndsTheWait() throws IOException {
    lease(WRITES, 0.01);
    put("first");
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> put("second")).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aLeaseThatAllowsMoreIsFeltWithinAMoment() throws IOException {
    lease(WRITES, 0.2);
    put("first");
    VirtualTime clock = time;
    ObjectStore raising =
        new PacedStore(
            faulty,
            control,
            config,
            new io.penstock.core.time.Time() {
              @Override
              public long nowNanos() {
                return clock.nowNanos();
              }

              @Override
              public Instant now() {
                return clock.now();
              }

              @Override
              public void sleep(Duration duration) throws InterruptedException {
                clock.sleep(duration);
                lease(WRITES, 1_000);
              }
            },
            metrics,
            events);
    raising.put("second", Body.empty(), Condition.NONE);
    assertThat(seconds()).isLessThan(0.1);
  }

  @Test
  void fourSecondAttemptsWaitForPermitsAndTheOthersGiveUp() throws Exception {
    lease(WRITES, 0.01);
    put("first");
    CountDownLatch over = new CountDownLatch(1);
    PacedStore standing = standing(over);
    ExecutorService threads = Executors.newCachedThreadPool();
    CompletionService<String> hedges = new ExecutorCompletionService<>(threads);
    try {
      for (int i = 0; i < 40; i++) {
        hedges.submit(() -> putBeside(standing));
      }
      for (int i = 0; i < 36; i++) {
        assertThat(hedges.take().get())
            .isEqualTo("PUT s3://lake/k: too many other second attempts already wait for permits.");
      }
      assertThat(control.report(0).get(WRITES).partitions().get(0).waiting()).isEqualTo(4);
    } finally {
      over.countDown();
      threads.shutdownNow();
    }
  }

  @Test
  void aSecondAttemptWaitsBehindManyFirstOnes() throws Exception {
    lease(WRITES, 0.01);
    put("first");
    CountDownLatch over = new CountDownLatch(1);
    PacedStore standing = standing(over);
    ExecutorService threads = Executors.newCachedThreadPool();
    CompletionService<String> all = new ExecutorCompletionService<>(threads);
    try {
      for (int i = 0; i < 10; i++) {
        all.submit(() -> standing.put("k", Body.ofBytes(new byte[1]), Condition.NONE));
      }
      awaitWaiting(10);
      all.submit(() -> putBeside(standing));
      awaitWaiting(11);
      lease(WRITES, 1_000_000);
      over.countDown();
      for (int i = 0; i < 11; i++) {
        assertThat(all.take().get()).doesNotContain("second attempts already wait");
      }
    } finally {
      over.countDown();
      threads.shutdownNow();
    }
  }

  private void awaitWaiting(int count) {
    while (control.report(0).get(WRITES).partitions().get(0).waiting() < count) {
      Thread.onSpinWait();
    }
  }

  /** Whoever sleeps for a permit wakes up when it is over, ten of the twenty seconds later. */
  private PacedStore standing(CountDownLatch over) {
    Time asleep =
        new Time() {
          @Override
          public long nowNanos() {
            return over.getCount() > 0 ? 0 : Duration.ofSeconds(10).toNanos();
          }

          @Override
          public Instant now() {
            return time.now();
          }

          @Override
          public void sleep(Duration duration) throws InterruptedException {
            over.await();
          }
        };
    return new PacedStore(faulty, control, config, asleep, metrics, events);
  }

  private String putBeside(PacedStore store) {
    try {
      return store.beside(
          Operation.PUT, "k", own -> faulty.put("k", Body.ofBytes(new byte[1]), Condition.NONE));
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  @Test
  void otherPoliciesAreNotCoordinated() throws IOException {
    RateConfig backoff = config.withPolicy(RatePolicy.BACKOFF);
    RateControl alone = new RateControl();
    PacedStore plain = new PacedStore(faulty, alone, backoff, time, metrics, events);
    faulty.failBefore(Operation.PUT, 1, Kind.THROTTLED);
    assertThatThrownBy(() -> plain.put("k", Body.empty(), Condition.NONE))
        .isInstanceOf(StoreException.class);
    assertThat(plain.repeatOf(Operation.PUT, "k")).isEqualTo(Repeat.BACK_OFF);
    assertThat(alone.report(0)).isEmpty();
    assertThat(alone.rates()).containsKey(READS);
  }
}
