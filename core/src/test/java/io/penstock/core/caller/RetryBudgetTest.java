/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.caller;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.config.Settings;
import io.penstock.core.pool.LanePool;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RetryBudgetTest {
  private static final Origin TASK =
      new Origin("app-1", OptionalLong.of(7), Optional.of(new Origin.Task(3, 0, 12, 40)));

  @AfterEach
  void endTheTask() {
    Caller.endTask();
  }

  @Test
  void waitsAddUpAndThoseThatOverlapCountOnce() {
    RetryBudget budget = new RetryBudget();
    budget.waits(100);
    budget.waits(150);
    assertThat(budget.spent(170)).isEqualTo(Duration.ofNanos(70));
    budget.goesOn(200);
    budget.goesOn(300);
    assertThat(budget.spent(900)).isEqualTo(Duration.ofNanos(200));
    budget.waits(1000);
    budget.goesOn(1001);
    assertThat(budget.spent(2000)).isEqualTo(Duration.ofNanos(201));
  }

  @Test
  void aTaskBeginsAndEndsWithItsThread() {
    assertThat(Caller.current().budget()).isEmpty();
    Caller.beginTask(TASK);
    Optional<RetryBudget> first = Caller.current().budget();
    assertThat(first).isPresent();
    Caller.beginTask(TASK);
    assertThat(Caller.current().budget()).isPresent().isNotEqualTo(first);
    Caller.endTask();
    assertThat(Caller.current().budget()).isEmpty();
  }

  @Test
  void thePoolWorksOnAccountOfTheTaskThatHandsWorkIn() throws Exception {
    Executor pool = new Callers().handedOverBy(new LanePool(Settings.of(Map.of())));
    Caller.beginTask(TASK);
    Optional<RetryBudget> mine = Caller.current().budget();
    assertThat(CompletableFuture.supplyAsync(() -> Caller.current().budget(), pool).get())
        .isEqualTo(mine);
    Caller.endTask();
    assertThat(CompletableFuture.supplyAsync(() -> Caller.current().budget(), pool).get())
        .isEmpty();
  }

  @Test
  void thePoolKnowsForWhichTaskItWorks() throws Exception {
    Callers callers = new Callers();
    Origin driver = new Origin("app-1", OptionalLong.of(9), Optional.empty());
    callers.unbound(() -> driver);
    Executor pool = callers.handedOverBy(new LanePool(Settings.of(Map.of())));

    Caller.beginTask(TASK);
    assertThat(CompletableFuture.supplyAsync(() -> callers.current().origin(), pool).get())
        .isEqualTo(TASK);
    Caller.endTask();
    callers.unbound(() -> Origin.NONE);
    assertThat(callers.current().origin()).isEqualTo(Origin.NONE);
    callers.unbound(() -> driver);
    assertThat(CompletableFuture.supplyAsync(() -> Caller.current().origin(), pool).get())
        .as("found by the thread that submits the work")
        .isEqualTo(driver);
  }

  @Test
  void aPoolThatRunsItsWorkInTheCallersThreadLeavesItsTaskAlone() {
    Caller.beginTask(TASK);
    Runnable work = Caller.current().handedOver(() -> {});
    Caller.beginTask(TASK);
    Optional<RetryBudget> mine = Caller.current().budget();
    work.run();
    assertThat(Caller.current().budget()).isEqualTo(mine);
  }
}
