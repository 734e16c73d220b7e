/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.ByteRange;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Spark reads one Parquet file of several row groups. */
class RowGroupsAheadTest {
  private static final long ROWS = 400_000;
  private static final String FILE = "s3://lake/row-groups";

  /** The file has 8 MB; its footer is in the last 64 KiB. */
  private static final long FOOTER_START_LEAST = 7_500_000;

  /** Long enough for any machine; the test waits only until the request is there. */
  private static final long WAIT_MILLIS = 60_000;

  private static final AtomicInteger ARRIVED = new AtomicInteger();

  @BeforeAll
  static void write() {
    Lake.spark().conf().set("spark.sql.files.minPartitionNum", 1); // one task reads the file
    Lake.spark()
        .range(0, ROWS, 1, 1)
        .selectExpr("id", "xxhash64(id) AS a", "xxhash64(id, 1) AS b")
        .write()
        .option("parquet.block.size", 1 << 20)
        .mode("overwrite")
        .parquet(FILE);
  }

  @AfterAll
  static void stop() {
    Lake.spark().conf().unset("spark.sql.files.minPartitionNum");
  }

  private static Map<String, Long> reading(Dataset<Row> rows) {
    return Lake.requests(
        () -> assertThat(rows.selectExpr("sum(id)").first().getLong(0)).isEqualTo(sum(rows)));
  }

  private static long sum(Dataset<Row> rows) {
    return rows.sparkSession().range(0, ROWS).selectExpr("sum(id)").first().getLong(0);
  }

  @Test
  void theNextRowGroupComesWhileTheFirstOneIsDecoded() {
    SparkSession spark = Lake.spark();
    UDF1<Long, Long> waits =
        id -> {
          if (id == 0) {
            ARRIVED.set(waitForRequest());
          }
          return id;
        };
    spark.udf().register("waits", waits, DataTypes.LongType);
    Lake.store().forget();

    Row found = spark.read().parquet(FILE).selectExpr("sum(waits(id))", "bit_xor(a)").first();

    assertThat(found.getLong(0)).isEqualTo(ROWS * (ROWS - 1) / 2);
    // The first row group and the second one, although no row of that is wanted yet.
    assertThat(ARRIVED).hasValue(2);
  }

  private static int waitForRequest() throws InterruptedException {
    for (long waited = 0; waited < WAIT_MILLIS && rowGroupsRequested() < 2; waited += 10) {
      Thread.sleep(10);
    }
    return rowGroupsRequested();
  }

  private static int rowGroupsRequested() {
    return (int)
        Lake.store().ranges().stream()
            .filter(range -> range instanceof ByteRange bytes && bytes.start() < FOOTER_START_LEAST)
            .count();
  }

  @Test
  void noRequestIsMadeTwiceOrForNothing() {
    Dataset<Row> rows = Lake.spark().read().parquet(FILE);
    long groups = reading(rows).get("GetObject");

    // The row groups, each by one request, and maybe the footer.
    assertThat(groups).isBetween(5L, 20L);
    assertThat(reading(rows).get("GetObject")).isBetween(groups - 1, groups + 1);
  }

  @Test
  void eachSplitIsReadWithoutTheRowGroupsOfOthers() {
    SparkSession spark = Lake.spark();
    long whole = reading(spark.read().parquet(FILE)).get("GetObject");
    spark.conf().set("spark.sql.files.maxPartitionBytes", 2 << 20);
    try {
      Dataset<Row> rows = spark.read().parquet(FILE);
      assertThat(rows.rdd().getNumPartitions()).isGreaterThan(2);
      assertThat(reading(rows).get("GetObject")).isBetween(whole - 1, whole + 1);
    } finally {
      spark.conf().unset("spark.sql.files.maxPartitionBytes");
    }
  }
}
