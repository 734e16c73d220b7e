/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two jobs that both find nothing at their output, and the second commits while the first runs. */
class FirstWritesTest {
  private final SparkSession spark = Lake.spark();

  @AfterEach
  void calm() {
    Lake.calm();
    for (String table : List.of("first_parts", "first_custom", "first_new")) {
      spark.sql("DROP TABLE IF EXISTS " + table);
    }
  }

  @Test
  void anOverwriteReplacesWhatCameAfterItsStart() {
    String path = "s3://lake/first/path";

    beside(
        () -> one("SELECT 2 AS id").write().mode("overwrite").parquet(path),
        () -> hooked().write().mode("overwrite").parquet(path));

    assertThat(spark.read().parquet(path).collectAsList())
        .extracting(row -> row.get(0))
        .containsExactly(1L);
  }

  @Test
  void anOverwriteReplacesAnAppendThatCameAfterItsStart() {
    String path = "s3://lake/first/append";

    beside(
        () -> one("SELECT 2L AS id").write().mode("append").parquet(path),
        () -> hooked().write().mode("overwrite").parquet(path));

    assertThat(spark.read().parquet(path).count()).isEqualTo(1);
  }

  @Test
  void anAppendKeepsWhatCameAfterItsStart() {
    String path = "s3://lake/first/kept";

    beside(
        () -> one("SELECT 2L AS id").write().mode("overwrite").parquet(path),
        () -> hooked().write().mode("append").parquet(path));

    assertThat(spark.read().parquet(path).count()).isEqualTo(2);
  }

  @Test
  void anInsertOverwriteReplacesAPartitionThatCameAfterItsStart() {
    spark.sql("CREATE TABLE first_parts (id BIGINT, p INT) USING parquet PARTITIONED BY (p)");
    spark.sql("INSERT INTO first_parts VALUES (9, 9)");

    beside(
        () -> spark.sql("INSERT OVERWRITE first_parts PARTITION (p = 1) VALUES (2)"),
        () -> spark.sql("INSERT OVERWRITE first_parts PARTITION (p = 1) SELECT at(1L) AS id"));

    assertThat(spark.table("first_parts").orderBy("id").collectAsList())
        .extracting(row -> row.getLong(0))
        .containsExactly(1L, 9L);
  }

  @Test
  void anInsertOverwriteReplacesALocationThatGotFilesAfterItsStart() {
    spark.sql("CREATE TABLE first_custom (id BIGINT, p INT) USING parquet PARTITIONED BY (p)");
    spark.sql(
        "ALTER TABLE first_custom ADD PARTITION (p = 1) LOCATION 's3://lake/first/elsewhere'");

    beside(
        () -> spark.sql("INSERT OVERWRITE first_custom PARTITION (p = 1) VALUES (2)"),
        () -> spark.sql("INSERT OVERWRITE first_custom PARTITION (p = 1) SELECT at(1L) AS id"));

    assertThat(Lake.dataKeys("first/elsewhere/")).hasSize(1);
    assertThat(spark.table("first_custom").first().getLong(0)).isEqualTo(1);
  }

  @Test
  void anInsertOverwriteDirectoryReplacesWhatCameAfterItsStart() {
    String to = "INSERT OVERWRITE DIRECTORY 's3://lake/first/dir' USING json ";

    beside(() -> spark.sql(to + "SELECT 2L AS id"), () -> spark.sql(to + "SELECT at(1L) AS id"));

    assertThat(Lake.dataKeys("first/dir/")).hasSize(1);
    assertThat(spark.read().json("s3://lake/first/dir").first().getLong(0)).isEqualTo(1);
  }

  @Test
  void aDynamicOverwriteReplacesAPartitionThatCameAfterItsStart() {
    String path = "s3://lake/first/dynamic";

    beside(
        () -> dynamically(one("SELECT 2L AS id, 1 AS p"), path),
        () -> dynamically(hooked().selectExpr("id", "1 AS p"), path));

    assertThat(spark.read().parquet(path).count()).isEqualTo(1);
  }

  private static void dynamically(
      org.apache.spark.sql.Dataset<org.apache.spark.sql.Row> rows, String path) {
    rows.write()
        .mode("overwrite")
        .option("partitionOverwriteMode", "dynamic")
        .partitionBy("p")
        .parquet(path);
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

  private org.apache.spark.sql.Dataset<org.apache.spark.sql.Row> one(String select) {
    return spark.sql(select);
  }

  /** One row with the id 1, through the test's action. */
  private org.apache.spark.sql.Dataset<org.apache.spark.sql.Row> hooked() {
    return spark.range(1, 2, 1, 1).selectExpr("at(id) AS id");
  }
}
