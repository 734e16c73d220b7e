/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.read.FetchQueue.Fetch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class FetchQueueTest {
  private final ReadBudget budget = new ReadBudget();
  private final FetchQueue queue = budget.fetches();
  private final Queue<Runnable> pool = new ArrayDeque<>();
  private final List<String> done = new ArrayList<>();

  private void submit(String bucket, String name, long bytes) {
    submit(bucket, name, bytes, pool::add);
  }

  private void submit(String bucket, String name, long bytes, Executor executor) {
    queue.submit(
        new Fetch(
            bucket,
            bytes,
            1000,
            executor,
            release -> done.add(name),
            failure -> done.add(name + " " + failure.getMessage())));
  }

  private void runOne() {
    pool.remove().run();
  }

  @Test
  void noMoreIsUnderWayThanThereIsRoomForAndTheOthersHoldNoThread() {
    for (int i = 1; i <= 10; i++) {
      submit("lake", "fetch " + i, 250);
    }
    assertThat(pool).hasSize(3);
    assertThat(queue.waiting()).isEqualTo(7);
    runOne();
    assertThat(pool).hasSize(3);
    while (!pool.isEmpty()) {
      runOne();
    }
    assertThat(done).hasSize(10).startsWith("fetch 1", "fetch 2").endsWith("fetch 9", "fetch 10");
    assertThat(budget.peakBytes()).isEqualTo(750);
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void aLargeFetchIsNotPassedByLaterOnesOfItsBucket() {
    submit("lake", "small", 500);
    submit("lake", "large", 400);
    submit("lake", "later", 10);
    assertThat(pool).hasSize(1);
    runOne();
    assertThat(pool).hasSize(2);
  }

  @Test
  void aFetchLargerThanTheBudgetGoesAlone() {
    submit("lake", "before", 100);
    submit("lake", "huge", 5000);
    submit("lake", "after", 100);
    assertThat(pool).hasSize(1);
    runOne();
    assertThat(pool).hasSize(1);
    runOne();
    assertThat(pool).hasSize(1);
    runOne();
    assertThat(done).containsExactly("before", "huge", "after");
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void aBucketThatStandsStillHoldsUpNoOther() {
    for (int i = 1; i <= 10; i++) {
      submit("throttled", "throttled " + i, 250);
    }
    Queue<Runnable> stuck = new ArrayDeque<>(pool);
    pool.clear();
    for (int i = 1; i <= 5; i++) {
      submit("other", "other " + i, 300);
    }
    while (!pool.isEmpty()) {
      runOne();
    }
    assertThat(done).containsExactly("other 1", "other 2", "other 3", "other 4", "other 5");
    assertThat(stuck).hasSize(3);
  }

  @Test
  void whatStreamsHoldDelaysAFetchButNeverForEver() {
    ReadBudget.Ask all = new ReadBudget.Ask(750, 750, 750);
    assertThat(budget.take(all, 0, 1000)).isEqualTo(750);
    submit("lake", "first", 600);
    submit("lake", "second", 600);
    assertThat(pool).hasSize(1);
    runOne();
    runOne();
    assertThat(done).containsExactly("first", "second");
    assertThat(budget.usedBytes()).isEqualTo(750);
  }

  @Test
  void bytesAreGivenBackAsSoonAsTheWorkSaysSoAndOnceOnly() {
    List<Long> used = new ArrayList<>();
    queue.submit(
        new Fetch(
            "lake",
            700,
            1000,
            Runnable::run,
            release -> {
              used.add(budget.usedBytes());
              release.run();
              release.run();
              used.add(budget.usedBytes());
            },
            failure -> {}));
    assertThat(used).containsExactly(700L, 0L);
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void nothingIsHeldByWorkThatFailsOrThatThePoolRefuses() {
    Executor exhausted =
        work -> {
          throw new InternalError("no thread");
        };
    submit("lake", "first", 700);
    submit("lake", "refused", 700, exhausted);
    submit("lake", "third", 700);
    runOne();
    assertThat(done).containsExactly("first", "refused no thread");
    runOne();
    assertThat(done).endsWith("third");
    assertThat(budget.usedBytes()).isZero();

    queue.submit(
        new Fetch(
            "lake",
            700,
            1000,
            pool::add,
            release -> {
              throw new IllegalStateException("a bug");
            },
            failure -> {}));
    org.assertj.core.api.Assertions.assertThatThrownBy(this::runOne).hasMessage("a bug");
    assertThat(budget.usedBytes()).isZero();
  }
}
