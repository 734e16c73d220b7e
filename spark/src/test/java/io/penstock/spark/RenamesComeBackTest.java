/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.stack.Engine;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.Test;

/** A session that unsets what the plugin has set is warned of what it does. */
class RenamesComeBackTest {
  private final SparkSession session = Lake.spark().newSession();

  private static boolean isWarnedOf(String output) {
    return !Engine.process().warnings().isNew(output);
  }

  @Test
  void aWriteWithoutTheProtocolIsWarnedOf() {
    session.conf().unset("spark.sql.sources.commitProtocolClass");
    session.range(0, 10, 1, 2).write().parquet("s3://lake/unset/table");
    assertThat(isWarnedOf("s3://lake/unset/table")).isTrue();
  }

  @Test
  void aCheckpointWithoutTheManagerIsWarnedOf() throws Exception {
    session.range(3).selectExpr("string(id)").write().text("s3://lake/unset/input");
    session.conf().unset("spark.sql.streaming.checkpointFileManagerClass");
    StreamingQuery query =
        session
            .readStream()
            .schema("value STRING")
            .text("s3://lake/unset/input")
            .writeStream()
            .format("noop")
            .option("checkpointLocation", "s3://lake/unset/checkpoint")
            .trigger(Trigger.AvailableNow())
            .start();
    query.awaitTermination();
    assertThat(isWarnedOf("s3://lake/unset/checkpoint")).isTrue();
  }
}
