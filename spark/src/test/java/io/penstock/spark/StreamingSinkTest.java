/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.Test;

/** Spark's streaming file sink has a commit of its own, which needs no rename. */
class StreamingSinkTest {
  private final SparkSession spark = Lake.spark();

  @Test
  void microBatchesAreWrittenAndReadBack() throws Exception {
    spark.range(0, 3, 1, 1).write().parquet("s3://lake/streaming/in");
    run();

    spark.range(3, 5, 1, 1).write().mode("append").parquet("s3://lake/streaming/in");
    run();

    assertThat(spark.read().parquet("s3://lake/streaming/out").selectExpr("sum(id)").first().get(0))
        .isEqualTo(10L);
    assertThat(Lake.dataKeys("streaming/out/_spark_metadata/")).hasSize(2);
    assertThat(Lake.pendingUploads("streaming/")).isEmpty();
  }

  private void run() throws Exception {
    StreamingQuery query =
        spark
            .readStream()
            .schema("id bigint")
            .parquet("s3://lake/streaming/in")
            .writeStream()
            .format("parquet")
            .option("checkpointLocation", "s3://lake/streaming/checkpoint")
            .trigger(Trigger.AvailableNow())
            .start("s3://lake/streaming/out");
    query.awaitTermination();
  }
}
