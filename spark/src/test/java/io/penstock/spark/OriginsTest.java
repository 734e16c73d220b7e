/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.caller.Origin;
import io.penstock.core.metrics.RequestEvent;
import io.penstock.core.stack.Engine;
import io.penstock.core.store.Operation;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** Every request of a real job says for which query and task it is made. */
class OriginsTest {
  private final Queue<RequestEvent> events = new ConcurrentLinkedQueue<>();

  @Test
  void requestsOfTasksNameTheirStageAndThoseOfTheDriverTheirQuery() {
    SparkSession spark = Lake.spark();
    RequestEvent.Listener listener = events::add;
    Engine.process().events().add(listener);
    try {
      spark.range(1_000).repartition(3).write().parquet("s3://large/origins/t");
      spark.read().parquet("s3://large/origins/t").selectExpr("sum(id)").collectAsList();
    } finally {
      Engine.process().events().remove(listener);
    }

    String application = spark.sparkContext().applicationId();
    assertThat(events).extracting(event -> event.origin().application()).containsOnly(application);
    List<Origin> parts = origins(event -> event.operation() == Operation.UPLOAD_PART);
    assertThat(parts).isNotEmpty().allMatch(origin -> origin.task().isPresent());
    List<Origin> completions = origins(event -> event.operation() == Operation.COMPLETE_UPLOAD);
    assertThat(completions).isNotEmpty().allMatch(origin -> origin.task().isEmpty());
    assertThat(completions).extracting(Origin::query).containsOnly(parts.get(0).query());
    List<Origin> reads =
        origins(event -> event.operation() == Operation.GET && event.key().endsWith(".parquet"));
    assertThat(reads)
        .filteredOn(origin -> origin.query().isPresent())
        .as("of the query that reads, which is another one than that which wrote")
        .isNotEmpty()
        .allMatch(origin -> origin.task().isPresent())
        .noneMatch(origin -> origin.query().equals(parts.get(0).query()));
  }

  @Test
  void aThreadOfAPoolDoesNotKeepTheQueryInWhichItBegan() throws Exception {
    SparkSession spark = Lake.spark();
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try {
      spark.sparkContext().setLocalProperty("spark.sql.execution.id", "0"); // ended long ago
      pool.submit(() -> {}).get();
      spark.sparkContext().setLocalProperty("spark.sql.execution.id", null);
      spark.range(1).write().mode("overwrite").parquet("s3://lake/origins/pool");
      Origin ofPool = pool.submit(() -> Engine.process().callers().current().origin()).get();

      assertThat(ofPool.application()).isEqualTo(spark.sparkContext().applicationId());
      assertThat(ofPool.query()).isEmpty();
    } finally {
      pool.shutdown();
    }
  }

  private List<Origin> origins(Predicate<RequestEvent> wanted) {
    return events.stream().filter(wanted).map(RequestEvent::origin).toList();
  }
}
