/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A query whose store is away for longer than retries take elsewhere. */
class StreamingOutageTest {
  private static void awaitBatch(StreamingQuery query, long batch) throws Exception {
    while (query.lastProgress() == null || query.lastProgress().batchId() < batch) {
      assertThat(query.exception().isDefined()).isFalse();
      Thread.sleep(5);
    }
  }

  /** Requests of a checkpoint are repeated for 15 minutes at least. */
  @Test
  @Timeout(180)
  void anOutageIsWaitedForAsTheDocumentationSays() throws Exception {
    SparkSession spark =
        Lake.alone(
            Map.of(
                "spark.plugins",
                "io.penstock.spark.PenstockPlugin",
                "spark.hadoop.penstock.retry.duration.max",
                "2s"));
    try {
      StreamingQuery query =
          spark
              .readStream()
              .format("rate-micro-batch")
              .option("rowsPerBatch", 20)
              .load()
              .writeStream()
              .format("noop")
              .option("checkpointLocation", "s3://lake/checkpoints/outage")
              .trigger(Trigger.ProcessingTime(3_000))
              .start();
      awaitBatch(query, 3);
      // The look at the run's claim holds for a second: now the next batch begins with another one.
      Thread.sleep(1_200);
      Lake.faults("PutObject@1=500 GetObject@1=500 HeadObject@1=500 ListObjectsV2@1=500");
      Thread.sleep(12_000);
      Lake.calm();
      awaitBatch(query, query.lastProgress().batchId() + 3);
      query.stop();
    } finally {
      Lake.calm();
      spark.stop();
    }
  }
}
