/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** Counts all requests of a write of large files, which are uploads. */
class RequestBudgetTest {
  private final SparkSession spark = Lake.spark();

  @Test
  void anOverwriteOfAHundredFilesToANewPathCostsThreeRequestsEachAndEightMore() {
    Map<String, Long> requests =
        Lake.requests(
            () ->
                spark
                    .range(0, 4_000_000, 1, 100)
                    .write()
                    .mode("overwrite")
                    .parquet("s3://large/budget/hundred"));

    assertThat(requests)
        .isEqualTo(
            Map.of(
                "CreateMultipartUpload", 100L,
                "UploadPart", 100L,
                "CompleteMultipartUpload", 100L,
                // One of Spark's; the fence, which shows what is replaced, too.
                // The proof that the intent is still there.
                "ListObjectsV2", 3L,
                // Intent, what is replaced, decision, _SUCCESS.
                "PutObject", 4L,
                "DeleteObjects", 1L));
    assertThat(requests.values().stream().mapToLong(Long::longValue).sum())
        .isLessThanOrEqualTo(308);
    Row sums =
        spark
            .read()
            .parquet("s3://large/budget/hundred")
            .selectExpr("count(*)", "sum(id)", "max(id)")
            .first();
    assertThat(sums.getLong(0)).isEqualTo(4_000_000);
    assertThat(sums.getLong(1)).isEqualTo(7_999_998_000_000L);
    assertThat(sums.getLong(2)).isEqualTo(3_999_999);
  }

  @Test
  void oneMoreFileCostsThreeMoreRequests() {
    long two = total(writing(2, "budget/two"));
    long three = total(writing(3, "budget/three"));

    assertThat(three - two).isEqualTo(3);
  }

  @Test
  void anOverwriteOfOldDataCostsThirteenRequestsBesideItsFiles() {
    writing(4, "budget/again");

    assertThat(writing(4, "budget/again"))
        .isEqualTo(
            Map.of(
                "CreateMultipartUpload", 4L,
                "UploadPart", 4L,
                "CompleteMultipartUpload", 4L,
                "ListObjectsV2", 5L,
                // What is replaced is written down; the old data and the intent go.
                "PutObject", 4L,
                // _SUCCESS, and the proof that the job may delete.
                "DeleteObject", 2L,
                "DeleteObjects", 2L));
  }

  @Test
  void aPartitionedWriteCostsThreeRequestsAFileToo() {
    Map<String, Long> requests =
        Lake.requests(
            () ->
                spark
                    .range(0, 8, 1, 2)
                    .selectExpr("id", "id % 4 as p")
                    .write()
                    .partitionBy("p")
                    .parquet("s3://large/budget/partitioned"));

    assertThat(Lake.dataKeys("large", "budget/partitioned/")).hasSize(8);
    assertThat(requests)
        .isEqualTo(
            Map.of(
                "CreateMultipartUpload", 8L,
                "UploadPart", 8L,
                "CompleteMultipartUpload", 8L,
                // Commits under way, Spark's own, the fence, the proof.
                "ListObjectsV2", 4L,
                "PutObject", 4L,
                // The decision goes after the intent, since such a commit would be undone without
                // it.
                "DeleteObject", 1L,
                "DeleteObjects", 1L));
  }

  private Map<String, Long> writing(int files, String prefix) {
    return Lake.requests(
        () ->
            spark
                .range(0, 100, 1, files)
                .write()
                .mode("overwrite")
                .parquet("s3://large/" + prefix));
  }

  private static long total(Map<String, Long> requests) {
    return requests.values().stream().mapToLong(Long::longValue).sum();
  }
}
