/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FilterFunction;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Observation;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Functions of foreachBatch that keep all rows in Spark without Penstock, and would lose some if a
 * write were taken for another one, or for one whose rows are gone. Each lost rows, or locked its
 * query, in an earlier version.
 */
class BatchesLoseNothingTest {
  private static final StructType IDS = new StructType().add("id", DataTypes.LongType);
  private static int number;

  private final SparkSession spark = Lake.spark();
  private final AtomicInteger runs = new AtomicInteger();
  private String root;
  private String table;
  private BatchQuery query;
  @TempDir private Path local;

  @BeforeEach
  void newQuery() {
    root = "s3://lake/nothing-lost-" + number++;
    table = root + "/table";
    query = new BatchQuery(spark, local.resolve("source"), root + "/checkpoint");
    spark.conf().set("penstock.spark.batches.once", "true");
  }

  @AfterEach
  void unset() {
    spark.conf().unset("penstock.spark.batches.once");
    spark.conf().unset("spark.sql.hive.manageFilesourcePartitions");
  }

  private static void append(Dataset<Row> rows, String path) {
    rows.write().mode(SaveMode.Append).parquet(path);
  }

  private Set<Long> ids(String... paths) {
    Set<Long> ids = new TreeSet<>();
    for (String path : paths) {
      spark
          .read()
          .schema(IDS)
          .parquet(path)
          .collectAsList()
          .forEach(row -> ids.add(row.getLong(0)));
    }
    return ids;
  }

  private boolean isFirst() {
    return runs.getAndIncrement() == 0;
  }

  private static void dieIf(boolean isFirst) throws IOException {
    if (isFirst) {
      throw new IOException("died");
    }
  }

  /** Fails, and then ends. */
  private void runTwice(VoidFunction2<Dataset<Row>, Long> function) {
    assertThat(query.run(function)).isFalse();
    assertThat(query.run(function)).isTrue();
  }

  @Test
  void aLoopThatGoesOnAfterAFailure() {
    for (int file = 0; file < 3; file++) {
      spark.range(file * 10L, file * 10L + 10).write().json(root + "/in/" + file);
    }
    query.add(0, 1);
    runTwice(
        (rows, batch) -> {
          boolean isFirst = isFirst();
          boolean hasFailed = false;
          for (int file = 0; file < 3; file++) {
            try {
              String name = file == 0 && isFirst ? "not-yet" : "" + file;
              append(spark.read().schema(IDS).json(root + "/in/" + name), table);
            } catch (RuntimeException e) {
              hasFailed = true;
            } catch (Exception e) { // AnalysisException is checked, and not declared.
              assertThat(e).isInstanceOf(AnalysisException.class);
              hasFailed = true;
            }
          }
          dieIf(hasFailed);
        });
    assertThat(ids(table)).hasSize(30);
  }

  @Test
  void aFunctionThatSkipsWhatIsThere() {
    query.add(0, 10);
    runTwice(
        (rows, batch) -> {
          boolean isFirst = isFirst();
          Set<Long> there = isFirst ? new HashSet<>() : ids(table);
          for (int kind = 0; kind < 2; kind++) {
            int rest = kind;
            List<Row> some =
                rows.collectAsList().stream()
                    .filter(row -> row.getLong(0) % 2 == rest && !there.contains(row.getLong(0)))
                    .toList();
            if (!some.isEmpty()) {
              JavaSparkContext java = new JavaSparkContext(spark.sparkContext());
              append(spark.createDataFrame(java.parallelize(some), IDS), table);
            }
            dieIf(isFirst);
          }
        });
    assertThat(ids(table)).hasSize(10);
  }

  @Test
  void writesInAnotherOrder() {
    query.add(0, 10);
    runTwice(
        (rows, batch) -> {
          boolean isFirst = isFirst();
          for (int kind : isFirst ? List.of(0, 1) : List.of(1, 0)) {
            append(rows.filter((FilterFunction<Row>) row -> row.getLong(0) % 2 == kind), table);
            dieIf(isFirst);
          }
        });
    assertThat(ids(table)).hasSize(10);
  }

  @Test
  void literalsThatLookLikeAddresses() {
    query.add(0, 10);
    runTwice(
        (rows, batch) -> {
          boolean isFirst = isFirst();
          for (String user : List.of("@cafe", "@face")) {
            if (isFirst || user.equals("@face")) {
              append(rows.withColumn("user", functions.lit(user)), table);
            }
            dieIf(isFirst);
          }
        });
    assertThat(spark.read().parquet(table).select("user").distinct().count()).isEqualTo(2);
  }

  @Test
  void expressionsWithManyArgumentsAndWithTheTime() {
    query.add(0, 10);
    StringBuilder many = new StringBuilder("greatest(");
    for (int i = 0; i < 30; i++) {
      many.append("cast(id as string), ");
    }
    runTwice(
        (rows, batch) -> {
          boolean isFirst = isFirst();
          for (String user : List.of("x", "y")) {
            if (isFirst || user.equals("y")) {
              append(rows.selectExpr("id", many + "'" + user + "') AS user"), table + "-1");
              append(
                  rows.selectExpr("id", "concat('" + user + "', current_timestamp()) AS user"),
                  table + "-2");
            }
            dieIf(isFirst);
          }
        });
    assertThat(spark.read().parquet(table + "-1").select("user").distinct().count()).isEqualTo(2);
    assertThat(spark.read().parquet(table + "-2").selectExpr("left(user, 1)").distinct().count())
        .isEqualTo(2);
  }

  @Test
  void deletedFirst() {
    query.add(0, 10);
    runTwice(
        (rows, batch) -> {
          org.apache.hadoop.fs.Path directory =
              new org.apache.hadoop.fs.Path(table + "/batch=" + batch);
          FileSystem files = directory.getFileSystem(spark.sparkContext().hadoopConfiguration());
          boolean unused = files.delete(directory, true);
          append(rows, directory.toString());
          dieIf(isFirst());
        });
    assertThat(ids(table)).hasSize(10);
  }

  @Test
  void thePartitionIsDroppedFirst() {
    query.add(0, 10);
    spark.sql("CREATE TABLE dropped_first (id BIGINT, b BIGINT) USING parquet PARTITIONED BY (b)");
    runTwice(
        (rows, batch) -> {
          spark.sql("ALTER TABLE dropped_first DROP IF EXISTS PARTITION (b = %d)".formatted(batch));
          rows.withColumn("b", functions.lit(batch))
              .write()
              .mode(SaveMode.Append)
              .insertInto("dropped_first");
          dieIf(isFirst());
        });
    assertThat(spark.table("dropped_first").count()).isEqualTo(10);
    spark.sql("DROP TABLE dropped_first");
  }

  @Test
  void anotherThreadWipesTheTable() {
    query.add(0, 10);
    ExecutorService pool = Executors.newFixedThreadPool(1);
    runTwice(
        (rows, batch) -> {
          try {
            pool.submit(() -> rows.limit(0).write().mode(SaveMode.Overwrite).parquet(table)).get();
          } catch (ExecutionException e) {
            throw new IOException(e);
          }
          append(rows, table);
          dieIf(isFirst());
        });
    pool.shutdown();
    assertThat(ids(table)).hasSize(10);
  }

  @Test
  void rowsChosenByChance() {
    query.add(0, 100);
    runTwice(
        (rows, batch) -> {
          Dataset<Row>[] parts = rows.randomSplit(new double[] {0.5, 0.5});
          append(parts[0], root + "/train");
          dieIf(isFirst());
          append(parts[1], root + "/test");
        });
    assertThat(ids(root + "/train", root + "/test")).hasSize(100);
  }

  @Test
  void rowsChosenByATableThatChanges() {
    query.add(0, 10);
    spark.range(5).write().parquet(root + "/known");
    VoidFunction2<Dataset<Row>, Long> function =
        (rows, batch) -> {
          Dataset<Row> known = spark.read().parquet(root + "/known");
          append(rows.join(known, "id"), root + "/main");
          dieIf(isFirst());
          append(
              rows.join(known, rows.col("id").equalTo(known.col("id")), "left_anti"),
              root + "/quarantine");
        };
    assertThat(query.run(function)).isFalse();
    spark.range(5, 10).write().mode(SaveMode.Append).parquet(root + "/known");
    assertThat(query.run(function)).isTrue();
    assertThat(ids(root + "/main", root + "/quarantine")).hasSize(10);
  }

  @Test
  void aTableOfTheBatchThatIsWrittenAgainAndAgain() {
    query.add(0, 10);
    runTwice(
        (rows, batch) -> {
          boolean isFirst = isFirst();
          for (int kind = 0; kind < 2; kind++) {
            rows.where("id % 2 = " + kind)
                .write()
                .mode(SaveMode.Overwrite)
                .parquet(root + "/scratch");
            if (!isFirst || kind > 0) {
              append(spark.read().parquet(root + "/scratch"), table + kind);
            }
          }
          dieIf(isFirst);
        });
    assertThat(ids(table + 0)).containsExactly(0L, 2L, 4L, 6L, 8L);
    assertThat(ids(table + 0, table + 1)).hasSize(10);
  }

  @Test
  void theCatalogLearnsOfPartitions() {
    query.add(0, 10);
    spark.sql(
        "CREATE TABLE learned (id BIGINT, p BIGINT) USING parquet PARTITIONED BY (p) LOCATION '%s'"
            .formatted(table));
    VoidFunction2<Dataset<Row>, Long> function =
        (rows, batch) ->
            rows.selectExpr("id", "id % 2 AS p")
                .write()
                .mode(SaveMode.Append)
                .insertInto("learned");
    // As if the driver had died before it adds the partitions.
    spark.conf().set("spark.sql.hive.manageFilesourcePartitions", "false");
    assertThat(query.runAndDie(function)).isFalse();
    spark.conf().unset("spark.sql.hive.manageFilesourcePartitions");
    assertThat(query.run(function)).isTrue();
    assertThat(spark.table("learned").count()).isEqualTo(10);
    spark.sql("DROP TABLE learned");
  }

  @Test
  void observedRowsAreCounted() {
    query.add(0, 10);
    runTwice(
        (rows, batch) -> {
          Observation seen = new Observation();
          append(rows.observe(seen, functions.count(functions.lit(1)).as("n")), table);
          assertThat(seen.getAsJava()).containsEntry("n", 10L);
          dieIf(isFirst());
        });
    assertThat(ids(table)).hasSize(10);
  }

  @Test
  void aQueryWithStateGoesOnAndItsRowsAreThereOnce() {
    String provider = "spark.sql.streaming.stateStore.providerClass";
    String format = "spark.sql.streaming.stateStore.checkpointFormatVersion";
    for (Map<String, String> settings :
        List.of(
            Map.<String, String>of(),
            Map.of(
                provider,
                "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
                format,
                "2"))) {
      settings.forEach(spark.conf()::set);
      root = root + "s";
      query =
          new BatchQuery(spark, local.resolve("source-" + settings.size()), root + "/checkpoint")
              .shape(rows -> rows.groupBy("id").count());
      query.add(0, 10);
      VoidFunction2<Dataset<Row>, Long> function = (rows, batch) -> append(rows, root + "/table");
      assertThat(query.runAndDie(function)).isFalse();
      assertThat(query.run(function)).isTrue();
      query.add(0, 10);
      assertThat(query.run(function)).isTrue();
      assertThat(spark.read().parquet(root + "/table").where("count = 1").count()).isEqualTo(10);
      assertThat(spark.read().parquet(root + "/table").where("count = 2").count()).isEqualTo(10);
      Stream.of(provider, format).forEach(spark.conf()::unset);
    }
  }

  @Test
  void manyWritesOfOneBatch() {
    query.add(0, 1);
    VoidFunction2<Dataset<Row>, Long> function =
        (rows, batch) -> {
          for (int part = 0; part < 30; part++) {
            append(rows, table + "/c=" + part);
          }
        };
    query.runAndDie(function);
    assertThat(query.run(function)).isTrue();
    assertThat(spark.read().parquet(table).count()).isEqualTo(30);
  }
}
