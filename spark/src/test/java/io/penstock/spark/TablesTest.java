/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tables of a catalog whose warehouse is on S3, and what SQL's inserts replace. */
class TablesTest {
  private final SparkSession spark = Lake.spark();

  @AfterEach
  void calm() {
    Lake.calm();
    for (String table : List.of("buckets", "plain", "parts", "custom")) {
      spark.sql("DROP TABLE IF EXISTS " + table);
    }
  }

  @Test
  void aBucketedTableKeepsItsBuckets() {
    Lake.store().forget();

    spark
        .range(0, 100, 1, 2)
        .write()
        .bucketBy(4, "id")
        .sortBy("id")
        .mode(SaveMode.Overwrite)
        .saveAsTable("buckets");

    assertThat(Lake.dataKeys("warehouse/buckets/"))
        .hasSize(8)
        .allMatch(key -> key.matches("warehouse/buckets/part-.*_0000[0-3]\\.c000\\..*"));
    assertThat(spark.table("buckets").where("id = 42").count()).isEqualTo(1);
    assertThat(spark.table("buckets").selectExpr("sum(id)").first().getLong(0)).isEqualTo(4950);
    assertThat(Lake.copies()).isZero();
  }

  @Test
  void insertAppendsAndInsertOverwriteReplaces() {
    spark.sql("CREATE TABLE plain (id BIGINT) USING parquet");
    spark.sql("INSERT INTO plain VALUES (1)");
    spark.sql("INSERT INTO plain VALUES (2)");
    assertThat(ids("plain")).containsExactly(1L, 2L);

    spark.sql("INSERT OVERWRITE plain VALUES (3)");

    assertThat(ids("plain")).containsExactly(3L);
    assertThat(Lake.dataKeys("warehouse/plain/")).hasSize(1);
  }

  @Test
  void aTableMayBeOverwrittenFromAnotherReadOfTheLake() {
    spark.range(0, 5, 1, 2).write().parquet("s3://lake/tables/source");
    spark.sql("CREATE TABLE plain (id BIGINT) USING parquet");

    spark.sql("INSERT OVERWRITE plain SELECT id FROM parquet.`s3://lake/tables/source`");

    assertThat(ids("plain")).containsExactly(0L, 1L, 2L, 3L, 4L);
  }

  @Test
  void insertOverwriteOfOnePartitionReplacesThatOneOnly() {
    makeParts();

    spark.sql("INSERT OVERWRITE parts PARTITION (p = 1) VALUES (100)");

    assertThat(rows("parts")).containsExactly("10 10", "100 1", "2 2");
  }

  @Test
  void aStaticOverwriteReplacesAllPartitions() {
    makeParts();

    spark.sql("INSERT OVERWRITE parts VALUES (100, 1)");

    assertThat(rows("parts")).containsExactly("100 1");
    assertThat(Lake.dataKeys("warehouse/parts/")).hasSize(1);
  }

  @Test
  void insertOverwriteDirectoryReplacesTheDirectory() {
    spark.sql("INSERT OVERWRITE DIRECTORY 's3://lake/tables/dir' USING json SELECT 1 AS id");
    List<String> old = Lake.dataKeys("tables/dir/");

    spark.sql("INSERT OVERWRITE DIRECTORY 's3://lake/tables/dir' USING json SELECT 2 AS id");

    assertThat(Lake.dataKeys("tables/dir/")).hasSize(1).doesNotContainAnyElementsOf(old);
    assertThat(spark.read().json("s3://lake/tables/dir").first().getLong(0)).isEqualTo(2);
  }

  @Test
  void aFailedInsertOverwriteDirectoryLeavesTheDirectory() {
    spark.sql("INSERT OVERWRITE DIRECTORY 's3://lake/tables/dir2' USING json SELECT 1 AS id");
    List<String> old = Lake.keys("tables/dir2/");
    Lake.faults("PutObject#3=412"); // After the intent, and what it replaces.

    assertThatThrownBy(
            () ->
                spark.sql(
                    "INSERT OVERWRITE DIRECTORY 's3://lake/tables/dir2' USING json SELECT 2 AS id"))
        .hasStackTraceContaining("PUT s3://lake/tables/dir2/part-");

    assertThat(Lake.keys("tables/dir2/")).isEqualTo(old);
    assertThat(Lake.pendingUploads("tables/dir2/")).isEmpty();
  }

  @Test
  void aDynamicOverwriteReplacesTheTouchedPartitionsOnly() {
    String path = "s3://lake/tables/dynamic";
    partitioned("(1, 1), (2, 2), (10, 10)", path, "static");
    List<String> ten = Lake.dataKeys("tables/dynamic/p=10/");
    Lake.store().forget();

    partitioned("(100, 1), (3, 3)", path, "dynamic");

    assertThat(at(path)).containsExactly("10 10", "100 1", "2 2", "3 3");
    assertThat(Lake.dataKeys("tables/dynamic/p=1/")).hasSize(1);
    assertThat(Lake.dataKeys("tables/dynamic/p=10/")).isEqualTo(ten);
    assertThat(Lake.copies()).isZero();
    assertThat(Lake.keys("tables/dynamic/.spark")).isEmpty();
  }

  @Test
  void aFailedDynamicOverwriteLeavesEveryPartition() {
    String path = "s3://lake/tables/dynamic-failed";
    partitioned("(1, 1), (2, 2)", path, "static");
    List<String> old = Lake.keys("tables/dynamic-failed/");
    Lake.faults("PutObject#4=412");

    assertThatThrownBy(() -> partitioned("(100, 1), (200, 2)", path, "dynamic"))
        .hasStackTraceContaining("PUT s3://lake/tables/dynamic-failed/p=");

    assertThat(Lake.keys("tables/dynamic-failed/")).isEqualTo(old);
    assertThat(at(path)).containsExactly("1 1", "2 2");
    assertThat(Lake.pendingUploads("tables/dynamic-failed/")).isEmpty();
  }

  @Test
  void aDynamicOverwriteWithoutRowsChangesNothing() {
    String path = "s3://lake/tables/dynamic-empty";
    partitioned("(1, 1), (2, 2)", path, "static");

    spark
        .sql("SELECT 1 AS id, 1 AS p")
        .where("id > 1")
        .write()
        .mode("overwrite")
        .option("partitionOverwriteMode", "dynamic")
        .partitionBy("p")
        .parquet(path);

    assertThat(at(path)).containsExactly("1 1", "2 2");
  }

  /** Spark's own catalog makes the new directory, and renames the old one onto it. */
  @Test
  void aRenamedPartitionKeepsItsRows() {
    makeParts();
    List<String> before = rows("parts");

    spark.sql("ALTER TABLE parts PARTITION (p = 2) RENAME TO PARTITION (p = 22)");

    assertThat(rows("parts"))
        .containsExactlyElementsOf(
            before.stream().map(row -> row.replaceAll(" 2$", " 22")).toList());
    assertThat(Lake.dataKeys("warehouse/parts/"))
        .anyMatch(key -> key.startsWith("warehouse/parts/p=22/part-"))
        .noneMatch(key -> key.contains("p=2/"));
  }

  @Test
  void aPartitionMayHaveALocationOfItsOwn() {
    makeCustom("s3://lake/tables/elsewhere");

    spark.sql("INSERT INTO custom PARTITION (p = 1) VALUES (2)");

    assertThat(rows("custom")).containsExactly("1 1", "2 1");
    assertThat(Lake.dataKeys("tables/elsewhere/")).hasSize(2);
    assertThat(Lake.dataKeys("warehouse/custom/")).isEmpty();
  }

  @Test
  void aDynamicOverwriteReplacesAPartitionThatHasALocationOfItsOwn() {
    makeCustom("s3://lake/tables/moved");
    spark.sql("INSERT INTO custom VALUES (5, 5)");

    dynamically("INSERT OVERWRITE custom VALUES (2, 1)");

    assertThat(rows("custom")).containsExactly("2 1", "5 5");
    assertThat(Lake.dataKeys("tables/moved/")).hasSize(1);
  }

  /** The SQL of docs/commits.md: readers of the table see the old partition or the new one. */
  @Test
  void aPartitionIsPublishedAtOnceByItsLocation() throws IOException {
    spark.sql("CREATE TABLE custom (id BIGINT, p INT) USING parquet PARTITIONED BY (p)");
    List<String> statements = Statements.of(Path.of("../docs/commits.md"));
    assertThat(statements).hasSize(4);
    publish(statements.get(0), "first", "1");
    assertThat(rows("custom")).as("not published yet").isEmpty();
    publish(statements.get(1), "first", "1");
    assertThat(rows("custom")).containsExactly("1 1");

    publish(statements.get(2), "second", "2");
    assertThat(rows("custom")).as("not published yet").containsExactly("1 1");
    publish(statements.get(3), "second", "2");
    assertThat(rows("custom")).containsExactly("2 1");
  }

  private void publish(String statement, String attempt, String id) {
    spark.sql(
        statement
            .replace("lake/sales-attempts/ID", "lake/tables/published/" + attempt)
            .replace("SELECT * FROM input", "SELECT " + id + "L AS id")
            .replace("sales", "custom")
            .replace("dt = '2026-11-25'", "p = 1"));
  }

  @Test
  void aTaskThatWritesTwoPartitionsWithOneLocationLosesNoRow() {
    String location = "s3://lake/tables/shared";
    spark.sql("CREATE TABLE twins (id BIGINT, p INT) USING parquet PARTITIONED BY (p)");
    for (int p : new int[] {1, 2, 3}) {
      spark.sql("ALTER TABLE twins ADD PARTITION (p = " + p + ") LOCATION '" + location + "'");
    }
    spark.sql("INSERT INTO twins SELECT /*+ COALESCE(1) */ * FROM VALUES (5, 1), (6, 2), (7, 3)");

    assertThat(Lake.dataKeys("tables/shared/")).hasSize(3);
    // Each partition is what is at its location.
    assertThat(ids("twins")).containsExactly(5L, 5L, 5L, 6L, 6L, 6L, 7L, 7L, 7L);
  }

  /** Partitions 1, 2 and 10, each with its number as the only row. */
  private void makeParts() {
    spark.sql("CREATE TABLE parts (id BIGINT, p INT) USING parquet PARTITIONED BY (p)");
    spark.sql("INSERT INTO parts VALUES (1, 1), (2, 2), (10, 10)");
    assertThat(rows("parts")).containsExactly("1 1", "10 10", "2 2");
  }

  /** Partition 1 is elsewhere, and has the row 1. */
  private void makeCustom(String location) {
    spark.sql("CREATE TABLE custom (id BIGINT, p INT) USING parquet PARTITIONED BY (p)");
    spark.sql("ALTER TABLE custom ADD PARTITION (p = 1) LOCATION '" + location + "'");
    spark.sql("INSERT INTO custom PARTITION (p = 1) VALUES (1)");
    assertThat(rows("custom")).containsExactly("1 1");
  }

  private void dynamically(String insert) {
    spark.conf().set("spark.sql.sources.partitionOverwriteMode", "dynamic");
    try {
      spark.sql(insert);
    } finally {
      spark.conf().unset("spark.sql.sources.partitionOverwriteMode");
    }
  }

  private void partitioned(String values, String path, String mode) {
    spark
        .sql("SELECT * FROM VALUES " + values + " AS t(id, p)")
        .coalesce(1)
        .write()
        .mode("overwrite")
        .option("partitionOverwriteMode", mode)
        .partitionBy("p")
        .parquet(path);
  }

  private List<Long> ids(String table) {
    return spark.table(table).orderBy("id").collectAsList().stream()
        .map(row -> row.getLong(0))
        .toList();
  }

  private List<String> rows(String table) {
    return texts(spark.table(table).collectAsList());
  }

  private List<String> at(String path) {
    return texts(spark.read().parquet(path).collectAsList());
  }

  private static List<String> texts(List<Row> rows) {
    return rows.stream().map(row -> row.mkString(" ")).sorted().toList();
  }
}
