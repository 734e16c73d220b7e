/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Operation;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Small files, which the driver puts: one request each. */
class InlineWritesTest {
  private final SparkSession spark = Lake.spark();

  @AfterEach
  void calm() {
    Lake.calm();
  }

  @Test
  void anOverwriteOfAHundredSmallFilesToANewPathCostsOneRequestEachAndEightMore() {
    Map<String, Long> requests =
        Lake.requests(
            () ->
                spark
                    .range(0, 4_000_000, 1, 100)
                    .write()
                    .mode("overwrite")
                    .parquet("s3://lake/inline/hundred"));

    assertThat(requests)
        .isEqualTo(Map.of("ListObjectsV2", 3L, "PutObject", 104L, "DeleteObjects", 1L));
    assertThat(
            spark
                .read()
                .parquet("s3://lake/inline/hundred")
                .selectExpr("count(*)", "sum(id)")
                .first()
                .toString())
        .isEqualTo("[4000000,7999998000000]");
  }

  @Test
  void filesThatDoNotFitIntoTheMessageAreUploads() {
    // A task's files may have 768 KiB together; a file is at most 0.5 MB.
    Map<String, Long> requests =
        Lake.requests(
            () ->
                spark
                    .sql(
                        "SELECT repeat('x', IF(id = 0, 500001, 300000)) AS x FROM range(0, 8, 1,"
                            + " 2)")
                    .write()
                    .option("maxRecordsPerFile", 1)
                    .text("s3://tight/inline/budget"));

    // Of the four files of a task two fit, also of the one whose first file is too large.
    assertThat(requests)
        .containsEntry("CompleteMultipartUpload", 4L)
        .containsEntry("PutObject", 4L + 4);
    assertThat(spark.read().text("s3://tight/inline/budget").count()).isEqualTo(8);
    assertThat(Lake.pendingUploads("tight", "inline/budget/")).isEmpty();
  }

  @Test
  void aReaderSeesNoFileBeforeTheJobCommits() {
    long before = Lake.tasks().ended();
    List<String> seen = new CopyOnWriteArrayList<>();
    Rows.each(
        row -> {
          if (row == 1) {
            Lake.tasks().awaitEnded(before + 1);
            seen.addAll(Lake.keys("inline/before/"));
            seen.addAll(Lake.pendingUploads("inline/before/"));
          }
        });

    spark.range(0, 2, 1, 2).selectExpr("at(id) as id").write().parquet("s3://lake/inline/before");

    assertThat(seen).isEmpty();
    assertThat(Lake.dataKeys("inline/before/")).hasSize(2);
  }

  @Test
  void anAttemptThatFailsSendsNothing() {
    Lake.store().forget();
    Rows.each(
        row -> {
          if (row == 2 && org.apache.spark.TaskContext.get().attemptNumber() == 0) {
            throw new IllegalStateException("the first attempt fails");
          }
        });

    spark
        .range(0, 3, 1, 1)
        .selectExpr("at(id) as id")
        .write()
        .option("maxRecordsPerFile", 1)
        .parquet("s3://lake/inline/retried");

    assertThat(Lake.dataKeys("inline/retried/")).hasSize(3);
    assertThat(Lake.store().done()).doesNotContain(Operation.CREATE_UPLOAD, Operation.ABORT_UPLOAD);
  }

  @Test
  void aFileThatCannotBePutUndoesTheJob() {
    Lake.faults("PutObject#3=412");

    assertThatThrownBy(() -> spark.range(0, 4, 1, 4).write().parquet("s3://lake/inline/denied"))
        .hasStackTraceContaining("PUT s3://lake/inline/denied/part-");

    assertThat(Lake.keys("inline/denied/")).isEmpty();
  }

  @Test
  void theDriversMemoryAndItsLimitForResultsBoundTheContent() {
    assertThat(InlineShare.driverMaxBytes(new SparkConf(false))).isEqualTo(64 << 20);
    SparkConf small =
        new SparkConf(false)
            .set("spark.driver.memory", "4g")
            .set("spark.driver.maxResultSize", "100m");
    assertThat(InlineShare.driverMaxBytes(small)).isEqualTo(25 << 20);
    small.set("spark.driver.maxResultSize", "0").set("spark.driver.memory", "800");
    assertThat(InlineShare.driverMaxBytes(small)).isEqualTo(50 << 20);
  }

  @Test
  void theContentOfATaskFitsIntoADirectResult() {
    assertThat(InlineShare.messageMaxBytes(new SparkConf(false))).isEqualTo(768 << 10);
    SparkConf larger = new SparkConf(false).set("spark.task.maxDirectResultSize", "4m");
    assertThat(InlineShare.messageMaxBytes(larger)).isEqualTo(3 << 20);
    larger.set("spark.rpc.message.maxSize", "2");
    assertThat(InlineShare.messageMaxBytes(larger)).isEqualTo(3 << 19);
  }
}
