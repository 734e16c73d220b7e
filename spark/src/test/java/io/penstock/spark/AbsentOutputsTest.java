/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Jobs that must find nothing at their output, and another job commits there while they run. */
class AbsentOutputsTest {
  private final SparkSession spark = Lake.spark();

  @AfterEach
  void calm() {
    Lake.calm();
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
                "INSERT OVERWRITE absent_parts PARTITION (p = 1) IF NOT EXISTS SELECT at(1L) AS id"));

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
