/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs that must find nothing at their output, and another job commits there while they run. */
class AbsentOutputsTest {
  private final SparkSession spark = Lake.spark();

  @AfterEach
  void calm() {
    Lake.calm();
    Lake.store().forget();
    spark.sql("DROP TABLE IF EXISTS absent_new");
    spark.sql("DROP TABLE IF EXISTS absent_parts");
  }

  @Test
  void inTheDefaultModeTheSecondJobFails() {
    String path = "s3://lake/absent/error";

    assertThatThrownBy(
            () -> beside(() -> two().write().parquet(path), () -> hooked().write().parquet(path)))
        .hasStackTraceContaining("absent/error/");

    assertOnlyTwo("absent/error/", path);
  }

  @Test
  void inTheModeIgnoreTheSecondJobWritesNothing() {
    String path = "s3://lake/absent/ignore";

    beside(() -> two().write().parquet(path), () -> hooked().write().mode("ignore").parquet(path));

    assertOnlyTwo("absent/ignore/", path);
  }

  @Test
  void ofTwoNewTablesAtOneLocationTheSecondFails() {
    String path = "s3://lake/absent/table";

    assertThatThrownBy(
            () ->
                beside(
                    () -> two().write().parquet(path),
                    () ->
                        spark.sql(
                            "CREATE TABLE absent_new USING parquet LOCATION '"
                                + path
                                + "' AS SELECT at(1L) AS id")))
        .hasStackTraceContaining("absent/table/");

    assertOnlyTwo("absent/table/", path);
    assertThat(spark.catalog().tableExists("absent_new")).isFalse();
  }

  @Test
  void aPartitionThatIsWrittenOnlyIfItIsNewIsNotWrittenTwice() {
    spark.sql("CREATE TABLE absent_parts (id BIGINT, p INT) USING parquet PARTITIONED BY (p)");

    beside(
        () -> spark.sql("INSERT OVERWRITE absent_parts PARTITION (p = 1) VALUES (2)"),
        () ->
            spark.sql(
                "INSERT OVERWRITE absent_parts PARTITION (p = 1) IF NOT EXISTS SELECT at(1L) AS"
                    + " id"));

    assertThat(ids(spark.table("absent_parts"))).containsExactly(2L);
  }

  @Test
  void ofTwoTextFilesTheSecondFails() {
    String path = "s3://lake/absent/text";
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());

    assertThatThrownBy(
            () ->
                beside(
                    () -> context.parallelize(List.of("2"), 1).saveAsTextFile(path),
                    () ->
                        hooked()
                            .toJavaRDD()
                            .map(row -> Long.toString(row.getLong(0)))
                            .saveAsTextFile(path)))
        .hasStackTraceContaining("absent/text/");

    assertThat(context.textFile(path).collect()).containsExactly("2");
  }

  /** The ways to write in which Spark looks at the output before Penstock hears of the job. */
  private enum Checked {
    TEXT("s3://lake/absent/half-text"),
    NEW_TABLE("s3://lake/absent/half-table"),
    MANAGED_TABLE("s3://lake/warehouse/absent_new");

    private final String path;

    Checked(String path) {
      this.path = path;
    }

    String prefix() {
      return path.substring("s3://lake/".length()) + "/";
    }
  }

  @ParameterizedTest
  @EnumSource
  void aJobWaitsForACommitThatIsTakenBack(Checked checked) throws Exception {
    CountDownLatch isHalf = new CountDownLatch(1);
    CountDownLatch isAwaited = new CountDownLatch(1);
    Lake.store()
        .beforeEach(
            (operation, key) -> {
              if (operation == Operation.PUT && key.contains("/part-00001")) {
                denyOnceThereIs(checked.prefix() + "part-00000", key);
              }
              boolean isDecision = operation == Operation.PUT && key.endsWith(".decision");
              if (isDecision && isHalf.getCount() > 0) {
                isHalf.countDown();
                await(isAwaited);
              } else if (key.contains("_penstock_intent_") && key.contains("_directory-")) {
                isAwaited.countDown();
              }
            });
    Thread first = new Thread(() -> failing(checked.path), "first job");
    first.start();
    assertThat(isHalf.await(1, TimeUnit.MINUTES)).isTrue();
    assertThat(Lake.keys(checked.prefix())).anyMatch(key -> key.contains("part-"));

    switch (checked) {
      case TEXT ->
          JavaSparkContext.fromSparkContext(spark.sparkContext())
              .parallelize(List.of("2"), 1)
              .saveAsTextFile(checked.path);
      case NEW_TABLE ->
          spark.sql(
              "CREATE TABLE absent_new USING parquet LOCATION '%s' AS SELECT 2L AS id"
                  .formatted(checked.path));
      case MANAGED_TABLE -> two().write().saveAsTable("absent_new");
    }

    first.join();
    assertThat(Lake.dataKeys(checked.prefix())).hasSize(1);
  }

  /** Denies the PUT of a file when the other one is visible: both are sent at the same time. */
  private static void denyOnceThereIs(String other, String key) {
    SneakyThrow.run(
        () -> {
          while (Lake.keys(other).isEmpty()) {
            Thread.onSpinWait();
          }
          throw StoreException.of(
              StoreException.Kind.ACCESS_DENIED, Operation.PUT, key, "it was forbidden");
        });
  }

  private void failing(String path) {
    assertThatThrownBy(() -> spark.range(0, 2, 1, 2).write().parquet(path))
        .hasStackTraceContaining("403");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void assertOnlyTwo(String prefix, String path) {
    assertThat(ids(spark.read().parquet(path))).containsExactly(2L);
    assertThat(Lake.pendingUploads(prefix)).isEmpty();
  }

  private static List<Long> ids(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(row -> row.getLong(0)).toList();
  }

  /** Runs the second job; in its task, the first one, from its start to its end. */
  private static void beside(Runnable first, Runnable second) {
    AtomicBoolean isDone = new AtomicBoolean();
    Rows.each(
        row -> {
          if (!isDone.getAndSet(true)) {
            Thread driver = new Thread(first, "first job");
            driver.start();
            driver.join();
          }
        });
    second.run();
    assertThat(isDone).isTrue();
  }

  private Dataset<Row> two() {
    return spark.sql("SELECT 2L AS id");
  }

  /** One row with the id 1, through the test's action. */
  private Dataset<Row> hooked() {
    return spark.range(1, 2, 1, 1).selectExpr("at(id) AS id");
  }
}
