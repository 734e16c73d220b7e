/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes with an id happen once. */
class CommitsOnceTest {
  private static final String ID = "penstock.commit.id";

  /** The number of rows that were computed. Tasks run in this process. */
  private static final AtomicInteger COMPUTED = new AtomicInteger();

  private static Runnable otherWrite = () -> {};
  private static int number;

  private SparkSession spark = Lake.spark();
  private String root;
  private String table;
  @TempDir private Path local;

  @BeforeEach
  void newTable() {
    COMPUTED.set(0);
    root = "s3://lake/once-" + number++;
    table = root + "/table";
  }

  @AfterEach
  void unset() {
    spark.conf().unset(ID);
    Lake.calm();
  }

  private Dataset<Row> rows(long count) {
    return spark
        .range(count)
        .map(
            (MapFunction<Long, Long>)
                id -> {
                  COMPUTED.incrementAndGet();
                  return id;
                },
            Encoders.LONG())
        .toDF("id");
  }

  private DataFrameWriter<Row> named(String id) {
    return rows(10).write().mode(SaveMode.Append).option(ID, id);
  }

  private long count(String path) {
    return spark.read().parquet(path).count();
  }

  private static Long afterTheOther(Long id) throws InterruptedException {
    if (id == 0) {
      Thread thread = new Thread(otherWrite, "other");
      thread.start();
      thread.join();
    }
    return id + 100;
  }

  // ---- by an option

  @Test
  void aWriteWithAnIdHappensOnceAndIsNotEvenComputedAgain() {
    named("orders-417").parquet(table);
    Map<String, Long> again = Lake.requests(() -> named("orders-417").parquet(table));
    assertThat(count(table)).isEqualTo(10);
    assertThat(COMPUTED.get()).isEqualTo(10);
    assertThat(again).containsOnlyKeys("ListObjectsV2", "GetObject");
    named("orders-418").parquet(table);
    named("orders-417").parquet(table + "/p=1");
    rows(10).write().mode(SaveMode.Append).parquet(table + "/p=1");
    assertThat(COMPUTED.get()).isEqualTo(40);
  }

  @Test
  void anOverwriteAndAFirstWriteHappenOnceToo() {
    for (SaveMode mode : new SaveMode[] {SaveMode.Overwrite, SaveMode.ErrorIfExists}) {
      String path = table + mode;
      rows(3).write().mode(mode).option(ID, "x").parquet(path);
      rows(5).write().mode(SaveMode.Append).parquet(path);
      rows(3).write().mode(mode).option(ID, "x").parquet(path);
      assertThat(count(path)).as(mode.toString()).isEqualTo(8);
    }
  }

  @Test
  void ofTwoWritesAtOnceOneIsVisible() {
    otherWrite = () -> named("orders-417").json(table);
    // The other driver commits while this one's tasks run, and so after it has looked.
    spark
        .range(0, 10, 1, 1)
        .map((MapFunction<Long, Long>) CommitsOnceTest::afterTheOther, Encoders.LONG())
        .toDF("id")
        .write()
        .mode(SaveMode.Append)
        .option(ID, "orders-417")
        .json(table);
    assertThat(spark.read().json(table).agg(functions.max("id")).first().getLong(0)).isEqualTo(9);
    assertThat(Lake.pendingUploads(table.substring("s3://lake/".length()))).isEmpty();
  }

  @Test
  void aBadIdIsRefused() {
    assertThatThrownBy(() -> named(" ").parquet(table))
        .hasStackTraceContaining("1 to 1000 characters");
  }

  @Test
  void aMisspelledOptionIsRefused() {
    assertThatThrownBy(() -> rows(3).write().option("penstock.comit.id", "x").parquet(table))
        .hasStackTraceContaining(
            "penstock.comit.id is not a setting of Penstock. Did you mean penstock.commit.id?");
  }

  @Test
  void anIdThatWouldBeAnOptionOfATableIsRefused() {
    assertThatThrownBy(() -> named("x").option("path", table).saveAsTable("once_saved"))
        .hasStackTraceContaining("would be an option of the table");
    spark.sql(
        "CREATE TABLE once_made (id BIGINT) USING parquet OPTIONS ('%s' 'x') LOCATION '%s'"
            .formatted(ID, table));
    assertThatThrownBy(() -> spark.sql("INSERT INTO once_made VALUES (1)"))
        .hasStackTraceContaining("would be an option of the table");
    spark.sql("DROP TABLE once_made");
    spark.sql("DROP TABLE IF EXISTS once_saved");
  }

  @Test
  void aJobOfRddsIsRefused() {
    spark.sparkContext().hadoopConfiguration().set(ID, "x");
    try {
      assertThatThrownBy(() -> rows(3).toJavaRDD().saveAsTextFile(table))
          .hasStackTraceContaining("names writes of Spark SQL only");
    } finally {
      spark.sparkContext().hadoopConfiguration().unset(ID);
    }
  }

  // ---- by a setting

  @Test
  void aSettingNamesOneWriteToEachPathAndRefusesMore() {
    spark.sql("CREATE TABLE once_set (id BIGINT) USING parquet LOCATION '%s'".formatted(table));
    spark.conf().set(ID, "run-1");
    spark.sql("INSERT INTO once_set VALUES (1)");
    rows(3).write().parquet(root + "/second");
    assertThatThrownBy(() -> spark.sql("INSERT INTO once_set VALUES (2)"))
        .hasStackTraceContaining("has already written to this path");
    spark.conf().set(ID, "run-2");
    spark.sql("INSERT INTO once_set VALUES (2)");
    assertThat(count(table)).isEqualTo(2);
    spark.sql("DROP TABLE once_set");
  }

  @Test
  void aSecondWriteUnderASettingIsRefusedUnderWhateverSchemeAndAtOnce() throws Exception {
    spark.conf().set(ID, "run-1");
    rows(3).write().mode(SaveMode.Append).parquet(table);
    assertThatThrownBy(
            () -> rows(3).write().mode(SaveMode.Append).parquet(table.replace("s3://", "s3a://")))
        .hasStackTraceContaining("has already written to this path");
    ExecutorService pool = Executors.newFixedThreadPool(2);
    List<Future<?>> both = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      both.add(pool.submit(() -> rows(3).write().mode(SaveMode.Append).json(root + "/both")));
    }
    int refused = 0;
    for (Future<?> one : both) {
      try {
        one.get();
      } catch (ExecutionException e) {
        assertThat(e).hasStackTraceContaining("is just writing");
        refused++;
      }
    }
    pool.shutdown();
    assertThat(refused).isOne();
  }

  @Test
  void aWriteUnderASettingThatHasFailedMayBeTriedAgain() {
    spark.conf().set(ID, "run-1");
    String large = table.replace("s3://lake", "s3://large");
    Lake.faults("CompleteMultipartUpload@1=403");
    assertThatThrownBy(() -> rows(3).write().parquet(large)).isInstanceOf(Exception.class);
    Lake.calm();
    rows(3).write().parquet(large);
    assertThat(count(large)).isEqualTo(3);
  }

  @Test
  void aSettingDoesNotNameBatches() {
    spark.conf().set(ID, "run-1");
    BatchQuery query = new BatchQuery(spark, local.resolve("source"), root + "/checkpoint");
    query.add(0, 10);
    VoidFunction2<Dataset<Row>, Long> append =
        (rows, batch) -> rows.write().mode(SaveMode.Append).parquet(table);
    assertThat(query.run(append)).isFalse();
    spark.conf().unset(ID);
    assertThat(query.run(append)).isTrue();
    assertThat(count(table)).isEqualTo(10);
  }

  /** The first driver dies after its commit, before it has added the partition. */
  @Test
  void aWriteThatIsLeftOutStillTellsTheCatalogOfItsPartitions() {
    for (String isManaged : List.of("false", "true")) {
      startAlone("spark.sql.hive.manageFilesourcePartitions", isManaged);
      spark.sql(
          "CREATE TABLE once_parts (id BIGINT, p INT) USING parquet PARTITIONED BY (p) LOCATION '%s'"
              .formatted(table));
      spark.sql("INSERT INTO once_parts VALUES (1, 1)");
      assertThat(spark.table("once_parts").count()).isOne();
      spark.stop();
    }
    spark = Lake.spark();
  }

  private void startAlone(String name, String value) {
    spark =
        Lake.alone(
            Map.of(
                "spark.plugins",
                "io.penstock.spark.PenstockPlugin",
                "spark.hadoop." + ID,
                "r",
                name,
                value));
  }

  @Test
  void anApplicationThatIsRunAgainWithItsIdWritesNothing() {
    for (int run = 0; run < 3; run++) {
      startAlone("spark.app.name", "tests");
      rows(3).write().mode(SaveMode.Append).parquet(table);
      rows(3).write().mode(SaveMode.Append).parquet(table + "-2");
      assertThat(count(table) + count(table + "-2")).isEqualTo(6);
      spark.stop();
    }
    spark = Lake.spark();
    assertThat(COMPUTED.get()).isEqualTo(6);
  }
}
