/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.caller;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.config.Settings;
import io.penstock.core.pool.LanePool;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RetryBudgetTest {
  @AfterEach
  void endTheTask() {
    RetryBudget.end();
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
    assertThat(RetryBudget.current()).isEmpty();
    RetryBudget.begin();
    Optional<RetryBudget> first = RetryBudget.current();
    assertThat(first).isPresent();
    RetryBudget.begin();
    assertThat(RetryBudget.current()).isPresent().isNotEqualTo(first);
    RetryBudget.end();
    assertThat(RetryBudget.current()).isEmpty();
  }

  @Test
  void thePoolWorksOnAccountOfTheTaskThatHandsWorkIn() throws Exception {
    Executor pool = RetryBudget.handedOverBy(new LanePool(Settings.of(Map.of())));
    RetryBudget.begin();
    Optional<RetryBudget> mine = RetryBudget.current();
    assertThat(CompletableFuture.supplyAsync(RetryBudget::current, pool).get()).isEqualTo(mine);
    RetryBudget.end();
    assertThat(CompletableFuture.supplyAsync(RetryBudget::current, pool).get()).isEmpty();
  }

  @Test
  void aPoolThatRunsItsWorkInTheCallersThreadLeavesItsTaskAlone() {
    RetryBudget.begin();
    Runnable work = RetryBudget.handedOver(() -> {});
    RetryBudget.begin();
    Optional<RetryBudget> mine = RetryBudget.current();
    work.run();
    assertThat(RetryBudget.current()).isEqualTo(mine);
  }
}
