/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import io.penstock.spark.checkpoint.PenstockCheckpointFileManager;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.execution.streaming.CheckpointFileManagerTests;
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager;
import scala.Function1;
import scala.runtime.BoxedUnit;

/** Spark's own suite for checkpoint managers, unchanged, on ours. */
public class SparksManagerSuite extends CheckpointFileManagerTests {
  private static final AtomicInteger RUNS = new AtomicInteger();

  static int runs() {
    return RUNS.get();
  }

  @Override
  public void withTempHadoopPath(Function1<Path, BoxedUnit> body) {
    body.apply(new Path("s3://lake/managers/" + RUNS.incrementAndGet()));
  }

  @Override
  public void checkLeakingCrcFiles(Path path) {
    // There are none in S3.
  }

  @Override
  public CheckpointFileManager createManager(Path path) {
    Configuration conf = Lake.spark().sparkContext().hadoopConfiguration();
    return new PenstockCheckpointFileManager(path, conf);
  }
}
