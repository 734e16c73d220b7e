/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.pool;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.caller.Caller;
import io.penstock.core.caller.Wait;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A work that never ends here fails its test after a minute; none needs more than moments. */
@Timeout(60)
class LanePoolTest {
  private final LanePool pool = new LanePool(4, Duration.ofSeconds(30));
  private final CountDownLatch permits = new CountDownLatch(1);

  @AfterEach
  void letAllEnd() {
    permits.countDown();
  }

  private static Lane lane(String bucket) {
    return new Lane(bucket, "READ", "");
  }

  private Executor in(String bucket) {
    return work -> pool.execute(lane(bucket), work);
  }

  private void waitForPermit(Wait wait) {
    try {
      Caller.current().waits(wait, permits::await);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<CompletableFuture<Void>> waiting(String bucket, int count, Wait wait) {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(CompletableFuture.runAsync(() -> waitForPermit(wait), in(bucket)));
    }
    return all;
  }

  private static void awaitIn(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void workOfALaneRunsWhile200OfAnotherWait() throws Exception {
    for (Wait wait : Wait.values()) {
      waiting("busy-" + wait, 200, wait);
      assertThat(CompletableFuture.supplyAsync(() -> 7, in("calm")).get(30, SECONDS)).isEqualTo(7);
    }
  }

  @Test
  void workThatWaitedIsDoneWhenItsWaitIsOver() throws Exception {
    List<CompletableFuture<Void>> all = waiting("busy", 200, Wait.FOR_PERMIT);
    permits.countDown();
    for (CompletableFuture<Void> one : all) {
      one.get(30, SECONDS);
    }
  }

  @Test
  void noMoreRunAtOnceAfterTheirWaitThanThereArePlaces() throws Exception {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      all.add(
          CompletableFuture.runAsync(
              () -> {
                waitForPermit(Wait.FOR_RETRY);
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                LockSupport.parkNanos(200_000);
                running.decrementAndGet();
              },
              in("busy")));
    }
    permits.countDown();
    for (CompletableFuture<Void> one : all) {
      one.get(30, SECONDS);
    }
    assertThat(most.get()).isLessThanOrEqualTo(4);
  }

  @Test
  void threadsAreFewThoughThousandsWait() throws Exception {
    for (int i = 0; i < 5; i++) {
      waiting("busy" + i, 1_000, Wait.FOR_PERMIT);
    }
    CompletableFuture.runAsync(() -> {}, in("calm")).get(30, SECONDS);
    assertThat(pool.threadsNow()).isLessThanOrEqualTo(4 * 4 + 16 * 6);
  }

  @Test
  void threadsWithoutWorkEnd() throws Exception {
    LanePool brief = new LanePool(4, Duration.ofMillis(1));
    CompletableFuture.runAsync(() -> {}, brief).get(30, SECONDS);
    while (brief.threadsNow() > 0) {
      LockSupport.parkNanos(200_000);
    }
  }

  @Test
  void threadsAreDaemonsWithTheProductsName() throws Exception {
    Thread thread = CompletableFuture.supplyAsync(Thread::currentThread, pool).get(30, SECONDS);
    assertThat(thread.isDaemon()).isTrue();
    assertThat(thread.getName()).matches("penstock-\\d+");
  }

  @Test
  void anInterruptIsNotPassedOnToTheNextWork() throws Exception {
    LanePool narrow = new LanePool(1, Duration.ofSeconds(30));
    CountDownLatch queued = new CountDownLatch(1);
    narrow.execute(
        () -> {
          awaitIn(queued);
          Thread.currentThread().interrupt();
        });
    CompletableFuture<Boolean> next = CompletableFuture.supplyAsync(Thread::interrupted, narrow);
    queued.countDown();
    assertThat(next.get(30, SECONDS)).isFalse();
  }

  @Test
  void workThatDiesTakesNoPlaceWithIt() throws Exception {
    ThreadFactory silent =
        work -> {
          Thread thread = new Thread(work);
          thread.setDaemon(true);
          thread.setUncaughtExceptionHandler((dead, failure) -> {});
          return thread;
        };
    LanePool narrow = new LanePool(1, Duration.ofSeconds(30), silent);
    for (int i = 0; i < 3; i++) {
      narrow.execute(
          () -> {
            throw new InternalError("Java heap space");
          });
    }
    CompletableFuture.runAsync(() -> {}, narrow).get(30, SECONDS);
  }

  @Test
  void workIsRefusedWithoutAnyThreadAndLeftToThoseThereAreOtherwise() throws Exception {
    AtomicBoolean isExhausted = new AtomicBoolean(true);
    LanePool poor =
        new LanePool(
            4,
            Duration.ofSeconds(30),
            work -> {
              if (isExhausted.get()) {
                throw new InternalError("unable to create native thread");
              }
              Thread thread = new Thread(work);
              thread.setDaemon(true);
              return thread;
            });
    AtomicBoolean isDone = new AtomicBoolean();
    assertThatThrownBy(() -> poor.execute(() -> isDone.set(true)))
        .isInstanceOf(InternalError.class);

    isExhausted.set(false);
    CountDownLatch end = new CountDownLatch(1);
    poor.execute(() -> awaitIn(end));
    isExhausted.set(true);
    CompletableFuture<Void> later = CompletableFuture.runAsync(() -> {}, poor);
    end.countDown();
    later.get(30, SECONDS);
    assertThat(isDone.get()).as("what was refused does not run").isFalse();
  }

  @Test
  void outsideOfAPoolAWaitIsOnlyTheWait() throws Exception {
    AtomicInteger waits = new AtomicInteger();
    Caller.current().waits(Wait.FOR_PERMIT, waits::incrementAndGet);
    assertThat(waits.get()).isEqualTo(1);
    assertThatThrownBy(
            () ->
                Caller.current()
                    .waits(
                        Wait.FOR_RETRY,
                        () -> {
                          throw new InterruptedException();
                        }))
        .isInstanceOf(InterruptedException.class);
  }

  @Test
  void threeTimesAsManyRunWhileItIsWide() throws Exception {
    assertThat(runAtOnce()).isEqualTo(4);
    Lanes.Widened wide = pool.widen("busy", 1_000);
    Lanes.Widened also = pool.widen("busy", 1_000);
    assertThat(runAtOnce()).isEqualTo(12);
    also.end();
    also.end();
    assertThat(runAtOnce()).as("one that is wide has not ended").isEqualTo(12);
    wide.end();
    assertThat(runAtOnce()).isEqualTo(4);
  }

  @Test
  void whatWaitsStartsWhenItIsWidened() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch started = new CountDownLatch(12);
    for (int i = 0; i < 20; i++) {
      pool.execute(
          lane("busy"),
          () -> {
            started.countDown();
            awaitIn(end);
          });
    }
    pool.widen("busy", 1_000);
    started.await();
    end.countDown();
  }

  @Test
  void itBecomesNoWiderThanTheStoreAndNeverNarrower() throws Exception {
    Lanes.Widened wide = pool.widen("busy", 7);
    assertThat(runAtOnce()).isEqualTo(7);
    wide.end();
    pool.widen("busy", 2);
    assertThat(runAtOnce()).isEqualTo(4);
  }

  /** Returns how many of 20 pieces run before the first ends. */
  private int runAtOnce() throws Exception {
    // Pieces of before have told that they are done a moment before the pool knows it.
    while (pool.begun() > 0) {
      Thread.onSpinWait();
    }
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger running = new AtomicInteger();
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      all.add(
          CompletableFuture.runAsync(
              () -> {
                running.incrementAndGet();
                awaitIn(end);
              },
              in("busy")));
    }
    // All that may start have a thread by now, and each of these counts itself first.
    while (running.get() < pool.begun()) {
      Thread.onSpinWait();
    }
    int atOnce = running.get();
    end.countDown();
    for (CompletableFuture<Void> one : all) {
      one.get(30, SECONDS);
    }
    return atOnce;
  }
}
