/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.caller.Caller;
import io.penstock.core.caller.Cancellation;
import io.penstock.core.caller.RetryBudget;
import java.io.IOException;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.junit.jupiter.api.Test;

/** The plugin bounds what a task waits for retries. */
class TaskBudgetTest {
  @Test
  void everyTaskOfARealJobHasABudget() {
    JavaSparkContext spark = new JavaSparkContext(Lake.spark().sparkContext());

    List<Boolean> budgets =
        spark
            .parallelize(List.of(1, 2, 3, 4), 4)
            .map(number -> Caller.current().budget().isPresent())
            .collect();

    assertThat(budgets).containsExactly(true, true, true, true);
    assertThat(Caller.current().budget()).as("of the driver's own thread").isEmpty();
  }

  @Test
  void aThreadThatIsUsedAgainHasTheNextTasksBudget() {
    ExecutorPlugin plugin = new PenstockPlugin().executorPlugin();

    plugin.onTaskStart();
    RetryBudget first = Caller.current().budget().orElseThrow();
    plugin.onTaskFailed(null);
    assertThat(Caller.current().budget()).isEmpty();

    plugin.onTaskStart();
    assertThat(Caller.current().budget().orElseThrow()).isNotSameAs(first);
    plugin.onTaskSucceeded();
    assertThat(Caller.current().budget()).isEmpty();
  }

  @Test
  void aThreadWithoutATaskIsNotCalledOffByTheTaskBefore() throws IOException {
    ExecutorPlugin plugin = new PenstockPlugin().executorPlugin();
    new Cancellation("the task was killed", () -> true).begin();
    assertThatThrownBy(Cancellation::checkCurrent).hasMessage("the task was killed");

    plugin.onTaskStart();

    Cancellation.checkCurrent();
    plugin.onTaskSucceeded();
  }
}
