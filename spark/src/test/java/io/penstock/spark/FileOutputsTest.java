/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** Writes to a path that is one object. */
class FileOutputsTest {
  private final SparkSession spark = Lake.spark();

  @Test
  void anAppendToAFileIsRefusedAndAnOverwriteReplacesIt() throws Exception {
    String path = "s3://lake/file-outputs/report.csv";
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
    file.getFileSystem(spark.sparkContext().hadoopConfiguration()).create(file).close();

    assertThatThrownBy(() -> spark.range(1).write().mode("append").csv(path))
        .hasStackTraceContaining(path + " is a file, so nothing can be written under it");
    spark.range(2).write().mode("overwrite").csv(path);

    assertThat(Lake.keys("file-outputs/report.csv")).doesNotContain("file-outputs/report.csv");
    assertThat(spark.read().csv(path).count()).isEqualTo(2);
  }

  @Test
  void anAppendToADirectoryCostsNoRequestMore() {
    String path = "s3://large/file-outputs/table";
    spark.range(0, 2, 1, 1).write().parquet(path);

    assertThat(Lake.requests(() -> spark.range(0, 2, 1, 1).write().mode("append").parquet(path)))
        .doesNotContainKey("HeadObject")
        .containsEntry("ListObjectsV2", 2L)
        .containsAllEntriesOf(Map.of("CreateMultipartUpload", 1L, "DeleteObject", 2L));
  }
}
