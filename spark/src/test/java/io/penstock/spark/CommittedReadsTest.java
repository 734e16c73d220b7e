/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.Operation;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every way in which Spark reads a table, while another job is in the middle of its commit. */
class CommittedReadsTest {
  private static final String TABLE = "s3://lake/committed";

  private final SparkSession spark = Lake.spark();
  private final CountDownLatch isHalf = new CountDownLatch(1);
  private final CountDownLatch isOver = new CountDownLatch(1);
  private Thread writer = new Thread();
  @TempDir private Path local;

  @BeforeEach
  void writeOldRows() {
    spark.sql("DROP TABLE IF EXISTS committed");
    rows(0).mode(SaveMode.Overwrite).parquet(TABLE);
    spark.sql(
        "CREATE TABLE committed (id BIGINT, p INT) USING parquet PARTITIONED BY (p) LOCATION '%s'"
            .formatted(TABLE));
    spark.sql("MSCK REPAIR TABLE committed");
  }

  @AfterEach
  void calm() throws InterruptedException {
    isOver.countDown();
    writer.join();
    Lake.calm();
    spark.sql("DROP TABLE IF EXISTS committed");
  }

  /** Eight rows in two files a partition; four rows are in each of the partitions 0 and 1. */
  private org.apache.spark.sql.DataFrameWriter<Row> rows(long first) {
    return spark
        .range(first, first + 8, 1, 2)
        .selectExpr("id", "cast(id % 2 as int) as p")
        .write()
        .partitionBy("p");
  }

  /** Lets a job go on until it sends such a request, for the first time. */
  private void beginTo(Runnable job, BiPredicate<Operation, String> request) throws Exception {
    Lake.store()
        .beforeEach(
            (operation, key) -> {
              if (isHalf.getCount() > 0 && request.test(operation, key)) {
                isHalf.countDown();
                awaitEnd();
              }
            });
    writer = new Thread(job, "writer");
    writer.start();
    assertThat(isHalf.await(1, TimeUnit.MINUTES)).isTrue();
  }

  private void awaitEnd() {
    try {
      boolean unusedInTime = isOver.await(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The number of rows and the smallest id of each way to read; what is cached is forgotten. */
  private Map<String, String> ways() {
    spark.sql("REFRESH TABLE committed");
    Map<String, Supplier<Dataset<Row>>> ways = new TreeMap<>();
    ways.put("root", () -> spark.read().parquet(TABLE));
    ways.put("root with slash", () -> spark.read().parquet(TABLE + "/"));
    ways.put("s3a", () -> spark.read().parquet(TABLE.replace("s3:", "s3a:")));
    ways.put("partition", () -> spark.read().parquet(TABLE + "/p=1"));
    ways.put("partitions", () -> spark.read().parquet(TABLE + "/p=0", TABLE + "/p=1"));
    ways.put("pattern", () -> spark.read().parquet(TABLE + "/p=*"));
    ways.put("pattern of files", () -> spark.read().parquet(TABLE + "/p=*/*.parquet"));
    ways.put("any depth", () -> spark.read().option("recursiveFileLookup", "true").parquet(TABLE));
    ways.put("table", () -> spark.table("committed").toDF());
    ways.put("pruned table", () -> spark.table("committed").where("p = 1"));
    ways.put("SQL on files", () -> spark.sql("SELECT * FROM parquet.`" + TABLE + "`"));
    Map<String, String> seen = new TreeMap<>();
    ways.forEach((way, rows) -> seen.put(way, told(rows.get())));
    seen.put("stream", told(streamed()));
    return seen;
  }

  private static List<String> parts() {
    return Lake.keys("committed/").stream().filter(key -> key.contains("/part-")).toList();
  }

  private static String told(Dataset<Row> rows) {
    Row row = rows.selectExpr("count(*)", "min(id) div 100").first();
    return row.getLong(0) + " rows from " + row.get(1);
  }

  private Dataset<Row> streamed() {
    try {
      spark
          .readStream()
          .schema("id long, p int")
          .parquet(TABLE)
          .writeStream()
          .format("memory")
          .queryName("committed_stream")
          .option(
              "checkpointLocation",
              local.resolve("c" + System.identityHashCode(new Object())).toString())
          .trigger(Trigger.AvailableNow())
          .start()
          .awaitTermination();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    return spark.table("committed_stream");
  }

  private static Map<String, String> all(String eight, String four) {
    Map<String, String> seen = new TreeMap<>();
    List.of(
            "root",
            "root with slash",
            "s3a",
            "partitions",
            "pattern",
            "pattern of files",
            "any depth",
            "table",
            "SQL on files",
            "stream")
        .forEach(way -> seen.put(way, eight));
    List.of("partition", "pruned table").forEach(way -> seen.put(way, four));
    return seen;
  }

  @Test
  void anAppendIsNotSeenBeforeItIsDecided() throws Exception {
    Map<String, String> old = all("8 rows from 0", "4 rows from 0");
    assertThat(ways()).isEqualTo(old);

    beginTo(
        () -> rows(100).mode(SaveMode.Append).parquet(TABLE),
        (operation, key) -> operation == Operation.PUT && key.endsWith(".decision"));

    assertThat(parts()).hasSize(8);
    assertThat(ways()).isEqualTo(old);
    isOver.countDown();
    writer.join();
    assertThat(ways()).isEqualTo(all("16 rows from 0", "8 rows from 0"));
  }

  @Test
  void anOverwriteIsSeenAsSoonAsItIsDecidedAndNotBefore() throws Exception {
    beginTo(
        () -> rows(100).mode(SaveMode.Overwrite).parquet(TABLE),
        (operation, key) -> operation == Operation.PUT && key.endsWith(".decision"));

    assertThat(parts()).hasSize(8);
    assertThat(ways()).isEqualTo(all("8 rows from 0", "4 rows from 0"));
  }

  @Test
  void theOldRowsOfADecidedOverwriteAreNotSeen() throws Exception {
    beginTo(
        () -> rows(100).mode(SaveMode.Overwrite).parquet(TABLE),
        (operation, key) ->
            operation == Operation.DELETE_ALL
                && key.contains("part-")
                && !key.contains("_penstock"));

    assertThat(parts()).hasSize(8);
    assertThat(ways()).isEqualTo(all("8 rows from 1", "4 rows from 1"));
  }
}
