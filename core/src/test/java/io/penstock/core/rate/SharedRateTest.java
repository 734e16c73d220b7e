/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.Settings;
import io.penstock.core.metrics.RequestEvents;
import io.penstock.core.metrics.StoreMetrics;
import io.penstock.core.rate.report.GroupId;
import io.penstock.core.rate.report.Lease;
import io.penstock.core.rate.report.RateReport;
import io.penstock.core.rate.report.Share;
import io.penstock.core.rate.report.Traffic;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.Time;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Several stores of one bucket in one process: file systems, commits, second attempts. */
class SharedRateTest {
  private static final GroupId WRITES = new GroupId("lake", Traffic.WRITE);

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final FaultyStore faulty = new FaultyStore(new InMemoryStore("lake", time));
  private final RateControl control = new RateControl();
  private final RateConfig config =
      PacedStore.patient(RateConfig.defaults(), Duration.ofMinutes(1), Duration.ofMinutes(10));

  private PacedStore open(RateConfig config, Time time) {
    return new PacedStore(faulty, control, config, time, new StoreMetrics(), new RequestEvents());
  }

  private static void put(PacedStore store, String key) throws IOException {
    store.put(key, Body.ofBytes(new byte[1]), Condition.NONE);
  }

  private static Future<?> inThread(ExecutorService threads, PacedStore store, String key) {
    return threads.submit(
        () -> {
          put(store, key);
          return null;
        });
  }

  private void lease(double rate) {
    Share share = new Share("", Share.Mode.PACED, rate);
    control.follow(
        Map.of(WRITES, new Lease(List.of(share), 1, Double.POSITIVE_INFINITY)), time.nowNanos());
  }

  /** A clock that stands still, and whose sleepers wake up when it is over. */
  private record Standing(CountDownLatch isAsleep, CountDownLatch over) implements Time {
    @Override
    public long nowNanos() {
      return over.getCount() > 0 ? 0 : Duration.ofSeconds(10).toNanos();
    }

    @Override
    public Instant now() {
      return Instant.EPOCH;
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      isAsleep.countDown();
      over.await();
    }
  }

  @Test
  void aSecondStoreDoesNotJumpTheQueueOfTheFirst() throws Exception {
    Standing clock = new Standing(new CountDownLatch(1), new CountDownLatch(1));
    PacedStore first = open(config, clock);
    PacedStore second = open(config, clock);
    lease(1);
    put(first, "goes-at-once");
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      Future<?> waiting = inThread(threads, first, "waits");
      clock.isAsleep().await();

      assertThat(second.queues()).as("the queue of the first").isEqualTo(1);
      // There would be permits for it, had nobody come before.
      lease(1_000);
      Future<?> later = inThread(threads, second, "comes-later");
      while (control.report(0).get(WRITES).partitions().get(0).waiting() < 2) {
        Thread.onSpinWait();
      }
      assertThat(later.isDone()).isFalse();
      assertThat(faulty.requests().get(Operation.PUT)).isEqualTo(1);

      clock.over().countDown();
      waiting.get();
      later.get();
    } finally {
      threads.shutdownNow();
    }
    assertThat(first.queues() + second.queues()).isZero();
  }

  @Test
  void aStoreWithOtherSettingsTakesTheFirstOneAlong() throws IOException {
    PacedStore first = open(config, time);
    PacedStore second =
        open(RateConfig.from(Settings.of(Map.of("penstock.rate.max", "7000"))), time);

    faulty.failBefore(Operation.PUT, 1, Kind.THROTTLED);
    assertThatThrownBy(() -> put(first, "k")).isInstanceOf(StoreException.class);
    assertThat(control.report(time.nowNanos()).get(WRITES).partitions())
        .as("what the first store saw is reported")
        .containsExactly(new RateReport.Seen("", 0, 1, 0));

    // Also after it was idle for long, when the first one is the first to ask.
    time.advance(Duration.ofMinutes(11));
    control.report(time.nowNanos());
    put(first, "again");
    assertThat(control.size()).isEqualTo(1);

    lease(10);
    double before = time.nowNanos() / 1e9;
    for (int i = 0; i < 10; i++) {
      put(first, "a" + i);
      put(second, "b" + i);
    }
    assertThat(time.nowNanos() / 1e9 - before).as("both follow one lease").isBetween(1.8, 2.1);
  }
}
