/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes in the batches of streaming queries happen once. */
class BatchesOnceTest {
  private static final String BATCHES = "penstock.spark.batches.once";
  private static int number;

  private final SparkSession spark = Lake.spark();
  private String root;
  private String table;
  @TempDir private Path local;

  @BeforeEach
  void newTable() {
    spark.conf().set(BATCHES, "true");
    root = "s3://lake/batches-once-" + number++;
    table = root + "/table";
  }

  @AfterEach
  void unset() {
    spark.conf().unset(BATCHES);
    Lake.calm();
  }

  private long count(String path) {
    return spark.read().parquet(path).count();
  }

  private void source(int file, long rows) {
    query().add(file, rows);
  }

  private BatchQuery query() {
    return new BatchQuery(spark, local.resolve("source"), root + "/checkpoint");
  }

  private boolean run(VoidFunction2<Dataset<Row>, Long> function) {
    return query().run(function);
  }

  private boolean runAndDie(VoidFunction2<Dataset<Row>, Long> function) {
    return query().runAndDie(function);
  }

  private void append(Dataset<Row> rows) {
    rows.write().mode(SaveMode.Append).parquet(table);
  }

  @Test
  void aBatchThatIsRunAgainIsThereOnce() {
    source(0, 10);
    for (int i = 0; i < 3; i++) {
      assertThat(runAndDie((rows, batch) -> append(rows))).isFalse();
    }
    assertThat(run((rows, batch) -> append(rows))).isTrue();
    source(1, 5);
    assertThat(run((rows, batch) -> append(rows))).isTrue();
    assertThat(count(table)).isEqualTo(15);
  }

  @Test
  void theSameHoldsForQueriesWithTheTimeAndRandomIds() {
    source(0, 10);
    VoidFunction2<Dataset<Row>, Long> function =
        (rows, batch) ->
            append(
                rows.withColumn("at", functions.current_timestamp())
                    .withColumn("u", functions.expr("uuid()"))
                    .withColumn("r", functions.rand()));
    runAndDie(function);
    assertThat(run(function)).isTrue();
    assertThat(count(table)).isEqualTo(10);
  }

  /** With a shuffle, Spark 4 writes on another thread than the query's. */
  @Test
  void theSameHoldsForQueriesWithAShuffle() {
    source(0, 10);
    VoidFunction2<Dataset<Row>, Long> function =
        (rows, batch) -> {
          append(rows.repartition(2));
          append(rows.groupBy("id").count().select("id"));
        };
    runAndDie(function);
    assertThat(run(function)).isTrue();
    assertThat(count(table)).isEqualTo(20);
  }

  @Test
  void severalWritesOfABatchAreToldApart() {
    source(0, 10);
    AtomicInteger deaths = new AtomicInteger();
    VoidFunction2<Dataset<Row>, Long> function =
        (rows, batch) -> {
          append(rows.where("id < 5"));
          append(rows.where("id < 8").withColumn("id", functions.expr("id + 1000")));
          if (deaths.getAndIncrement() == 0) {
            throw new IOException("died");
          }
          append(rows.where("id >= 5"));
          rows.write().mode(SaveMode.Overwrite).parquet(table + "-2");
        };
    assertThat(run(function)).isFalse();
    assertThat(count(table)).isEqualTo(13);
    assertThat(runAndDie(function)).isFalse();
    assertThat(run(function)).isTrue();
    assertThat(count(table)).isEqualTo(18);
    assertThat(count(table + "-2")).isEqualTo(10);
  }

  @Test
  void aFunctionThatLeavesOutWhatItHasDoneLosesNothing() {
    source(0, 10);
    AtomicInteger runs = new AtomicInteger();
    VoidFunction2<Dataset<Row>, Long> function =
        (rows, batch) -> {
          if (runs.getAndIncrement() == 0) {
            append(rows.where("id < 5"));
            throw new IOException("died");
          }
          append(rows.where("id >= 5"));
        };
    assertThat(run(function)).isFalse();
    assertThat(run(function)).isTrue();
    assertThat(count(table)).isEqualTo(10);
  }

  @Test
  void aWriteThatFailedIsTriedAgainByTheFunction() {
    source(0, 10);
    table = table.replace("s3://lake", "s3://large");
    AtomicInteger failures = new AtomicInteger();
    VoidFunction2<Dataset<Row>, Long> function =
        (rows, batch) -> {
          try {
            append(rows);
          } catch (Exception e) { // Spark's are checked, and not declared.
            failures.incrementAndGet();
            Lake.calm();
            append(rows);
          }
        };
    Lake.faults("CompleteMultipartUpload@1=403");
    runAndDie(function);
    assertThat(failures.get()).isOne();
    assertThat(run(function)).isTrue();
    assertThat(count(table)).isEqualTo(10);
  }

  @Test
  void aQueryThatIsStoppedInTheMiddleOfACommitWritesItsBatchOnce() throws Exception {
    for (String request :
        List.of(".append", ".replaces", "/part-", ".decision", "_done_", "_SUCCESS", "commits/")) {
      newTable();
      source(0, 10);
      CountDownLatch isThere = new CountDownLatch(1);
      Lake.store()
          .beforeEach(
              (operation, key) -> {
                if (operation == Operation.PUT && key.contains(request) && isThere.getCount() > 0) {
                  isThere.countDown();
                  LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
                }
              });
      StreamingQuery query = query().start((rows, batch) -> append(rows));
      isThere.await();
      query.stop();
      assertThat(run((rows, batch) -> append(rows))).as(request).isTrue();
      assertThat(count(table)).as(request).isEqualTo(10);
      Lake.store().beforeEach((operation, key) -> {});
      query().deleteSource();
    }
  }

  @Test
  void aBatchThatIsPlannedAnewIsAnotherBatch() throws IOException {
    source(0, 10);
    runAndDie((rows, batch) -> append(rows));
    // Somebody sets the checkpoint back, and more files have come.
    for (String directory : new String[] {"offsets", "sources/0"}) {
      String key = (root + "/checkpoint/" + directory + "/0").substring("s3://lake/".length());
      Lake.store().delete(key);
    }
    source(1, 5);
    assertThat(run((rows, batch) -> append(rows))).isTrue();
    assertThat(count(table)).isEqualTo(25);
  }

  @Test
  void aThreadOfAPoolHasNoBatch() {
    ExecutorService pool = Executors.newFixedThreadPool(1);
    VoidFunction2<Dataset<Row>, Long> function =
        (rows, batch) -> {
          try {
            pool.submit(() -> append(rows)).get();
          } catch (ExecutionException e) {
            throw new IOException(e);
          }
        };
    source(0, 10);
    assertThat(run(function)).isTrue();
    source(1, 5);
    assertThat(run(function)).isTrue();
    assertThat(count(table)).isEqualTo(15);
    pool.shutdown();
  }

  @Test
  void theSettingSwitchesItOff() {
    source(0, 10);
    spark.conf().set(BATCHES, "false");
    runAndDie((rows, batch) -> append(rows));
    assertThat(run((rows, batch) -> append(rows))).isTrue();
    assertThat(count(table)).isEqualTo(20);
  }

  @Test
  void aBatchCostsOnePutMore() throws IOException {
    Files.createDirectories(local.resolve("source"));
    source(0, 10);
    long with =
        Lake.requests(() -> run((rows, batch) -> append(rows))).getOrDefault("PutObject", 0L);
    spark.conf().set(BATCHES, "false");
    root = root + "b";
    table = root + "/table";
    long without =
        Lake.requests(() -> run((rows, batch) -> append(rows))).getOrDefault("PutObject", 0L);
    assertThat(with).isEqualTo(without + 1);
  }

  @Test
  void aWriteThatTakesAnyOfSomeRowsIsRepeated() {
    source(0, 10);
    VoidFunction2<Dataset<Row>, Long> function =
        (rows, batch) ->
            append(rows.withColumn("kind", functions.expr("id % 2")).dropDuplicates("kind"));
    runAndDie(function);
    assertThat(run(function)).isTrue();
    assertThat(count(table)).isEqualTo(4);
  }
}
