/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.penstock.spark.plan.RunningWrite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The save mode of each kind of write, as the plan of the running query tells it. */
class SaveModesTest {
  private final SparkSession spark = Lake.spark().newSession();
  private Path directory;

  @BeforeEach
  void noteSaveModes(@TempDir Path temporary) throws IOException {
    directory = Files.createDirectory(temporary.resolve("save-modes"));
    spark.conf().set("spark.sql.sources.commitProtocolClass", SeenSaveModes.class.getName());
    // Tables without a location are here.
    spark.sql("CREATE DATABASE modes LOCATION '" + directory.resolve("db").toUri() + "'");
    spark.sql("USE modes");
  }

  @AfterEach
  void dropTables() {
    spark.sql("USE default");
    spark.sql("DROP DATABASE modes CASCADE");
  }

  @Test
  void aWriterHasTheModeThatItWasGiven() {
    for (SaveMode mode : SaveMode.values()) {
      assertThat(seen(() -> rows().write().mode(mode).parquet(at("t-" + mode))))
          .containsExactly(
              switch (mode) {
                case Append -> "APPEND ";
                case Overwrite -> "OVERWRITE t-Overwrite";
                case ErrorIfExists -> "ERROR_IF_EXISTS t-ErrorIfExists";
                case Ignore -> "IGNORE t-Ignore";
              });
    }
  }

  @Test
  void everyFormatHasAMode() {
    for (String format : List.of("parquet", "orc", "csv", "json")) {
      assertThat(seen(() -> rows().write().mode("overwrite").format(format).save(at(format))))
          .containsExactly("OVERWRITE " + format);
    }
  }

  @Test
  void aWriteAfterAShuffleHasAMode() {
    assertThat(
            seen(
                () ->
                    rows().groupBy("p").count().sort("p").write().mode("overwrite").csv(at("agg"))))
        .containsExactly("OVERWRITE agg");
  }

  @Test
  void aPartitionedOverwriteReplacesTheWholePathUnlessItIsDynamic() {
    assertThat(seen(() -> rows().write().mode("overwrite").partitionBy("p").parquet(at("parts"))))
        .containsExactly("OVERWRITE parts");
    assertThat(
            seen(
                () ->
                    rows()
                        .write()
                        .mode("overwrite")
                        .option("partitionOverwriteMode", "dynamic")
                        .partitionBy("p")
                        .parquet(at("dynamic"))))
        .containsExactly("OVERWRITE ");
  }

  @Test
  void anInsertOverwriteReplacesThePartitionsThatItNames() {
    spark.sql(
        "CREATE TABLE t (id BIGINT, p INT, q STRING) USING parquet PARTITIONED BY (p, q)"
            + " LOCATION '"
            + at("t")
            + "'");

    assertThat(seen("INSERT INTO t VALUES (1, 1, 'a')")).containsExactly("APPEND ");
    assertThat(seen("INSERT OVERWRITE t PARTITION (p = 2, q = 'a b/c') VALUES (1)"))
        .containsExactly("OVERWRITE t/p=2/q=a b%2Fc");
    assertThat(seen("INSERT OVERWRITE t PARTITION (p = 3, q) VALUES (1, 'x')"))
        .containsExactly("OVERWRITE t/p=3");
    assertThat(seen("INSERT OVERWRITE t VALUES (1, 1, 'a')"))
        .singleElement(STRING)
        .startsWith("OVERWRITE t ")
        .contains(" t/p=1/q=a", " t/p=2/q=a b%2Fc", " t/p=3/q=x");
    spark.conf().set("spark.sql.sources.partitionOverwriteMode", "dynamic");
    assertThat(seen("INSERT OVERWRITE t PARTITION (p = 3, q) VALUES (1, 'x')"))
        .containsExactly("OVERWRITE ");
    assertThat(seen("INSERT OVERWRITE t PARTITION (p = 3, q = 'x') VALUES (1)"))
        .containsExactly("OVERWRITE t/p=3/q=x t/p=3/q=x");
  }

  @Test
  void anInsertOverwriteReplacesPartitionsThatAreElsewhere() {
    spark.sql(
        "CREATE TABLE t (id BIGINT, p INT) USING parquet PARTITIONED BY (p) LOCATION '"
            + at("t")
            + "'");
    spark.sql("ALTER TABLE t ADD PARTITION (p = 1) LOCATION '" + at("far") + "'");
    spark.sql("ALTER TABLE t ADD PARTITION (p = 2) LOCATION '" + at("away") + "'");

    assertThat(seen("INSERT OVERWRITE t PARTITION (p = 1) VALUES (1)"))
        .containsExactly("OVERWRITE t/p=1 far");
    assertThat(seen("INSERT OVERWRITE t VALUES (1, 3)")).containsExactly("OVERWRITE t far away");
  }

  @Test
  void anInsertIfThePartitionIsNewWritesNothingOtherwise() {
    spark.sql(
        "CREATE TABLE t (id BIGINT, p INT) USING parquet PARTITIONED BY (p) LOCATION '"
            + at("t")
            + "'");

    assertThat(seen("INSERT OVERWRITE t PARTITION (p = 1) IF NOT EXISTS VALUES (1)"))
        .containsExactly("IGNORE t/p=1");
  }

  @Test
  void anInsertIntoADirectoryOverwritesIt() {
    assertThat(seen("INSERT OVERWRITE DIRECTORY '" + at("dir") + "' USING json SELECT 1 AS id"))
        .containsExactly("OVERWRITE dir");
  }

  @Test
  void theDataOfANewTableMustFindItsLocationEmpty() {
    assertThat(seen("CREATE TABLE managed USING parquet AS SELECT 1 AS id"))
        .containsExactly("ERROR_IF_EXISTS db/managed");
    assertThat(seen("CREATE TABLE IF NOT EXISTS managed2 USING parquet AS SELECT 1 AS id"))
        .containsExactly("ERROR_IF_EXISTS db/managed2");
    assertThat(
            seen(
                "CREATE TABLE external USING parquet LOCATION '"
                    + at("external")
                    + "' AS WITH x AS (SELECT 1 AS id) SELECT * FROM x"))
        .containsExactly("ERROR_IF_EXISTS external");
  }

  @Test
  void aLocationThatSparkDoesNotCheckIsOverwritten() {
    assertThat(
            seen(
                "CREATE TABLE IF NOT EXISTS t USING parquet LOCATION '"
                    + at("unchecked")
                    + "' AS SELECT 1 AS id"))
        .containsExactly("OVERWRITE unchecked");
    spark.conf().set("spark.sql.legacy.allowNonEmptyLocationInCTAS", "true");
    assertThat(
            seen("CREATE TABLE t2 USING parquet LOCATION '" + at("legacy") + "' AS SELECT 1 AS id"))
        .containsExactly("OVERWRITE legacy");
  }

  @Test
  void saveAsTableIsAnOverwriteOnlyIfAsked() {
    for (SaveMode mode : SaveMode.values()) {
      String table = "t" + mode.name().toLowerCase(java.util.Locale.ROOT);
      assertThat(seen(() -> rows().write().mode(mode).saveAsTable(table)))
          .as("first %s", mode)
          .containsExactly(
              (mode == SaveMode.Overwrite ? "OVERWRITE db/" : "ERROR_IF_EXISTS db/") + table);
    }
    assertThat(seen(() -> rows().write().mode("append").saveAsTable("tappend")))
        .containsExactly("APPEND ");
    assertThat(seen(() -> rows().write().mode("overwrite").saveAsTable("toverwrite")))
        .containsExactly("OVERWRITE db/toverwrite");
    assertThat(seen(() -> rows().write().mode("ignore").saveAsTable("tignore"))).isEmpty();
  }

  @Test
  void insertIntoAppendsOrOverwrites() {
    rows().write().saveAsTable("t");

    assertThat(seen(() -> rows().write().insertInto("t"))).containsExactly("APPEND ");
    assertThat(seen(() -> rows().write().mode("overwrite").insertInto("t")))
        .containsExactly("OVERWRITE db/t");
  }

  @Test
  void aWriteInsideAStreamsBatchHasAMode() throws Exception {
    Files.createDirectory(directory.resolve("source"));
    Files.writeString(directory.resolve("source/one.txt"), "line\n");

    assertThat(
            seen(
                () -> {
                  try {
                    spark
                        .readStream()
                        .text(at("source"))
                        .writeStream()
                        .option("checkpointLocation", at("checkpoint"))
                        .foreachBatch(
                            (batch, id) -> {
                              batch.write().mode("overwrite").parquet(at("batch"));
                              batch.write().saveAsTable("tbatch");
                            })
                        .start()
                        .processAllAvailable();
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                }))
        .containsExactly("OVERWRITE batch", "ERROR_IF_EXISTS db/tbatch");
    Stream.of(spark.streams().active()).forEach(SaveModesTest::stop);
  }

  private static void stop(org.apache.spark.sql.streaming.StreamingQuery query) {
    try {
      query.stop();
    } catch (java.util.concurrent.TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void withoutAQueryTheModeIsUnknown() {
    assertThat(RunningWrite.to(at("nothing"))).isEmpty();
    assertThat(seen(() -> new SeenSaveModes("job", at("nothing"), false)))
        .containsExactly("UNKNOWN ");
  }

  private List<String> seen(String statement) {
    return seen(() -> spark.sql(statement));
  }

  private static List<String> seen(Runnable action) {
    return SeenSaveModes.of(action);
  }

  private Dataset<Row> rows() {
    return spark.range(0, 4, 1, 2).selectExpr("id", "id % 2 AS p");
  }

  private String at(String name) {
    return directory.resolve(name).toUri().toString().replaceFirst("/$", "");
  }
}
