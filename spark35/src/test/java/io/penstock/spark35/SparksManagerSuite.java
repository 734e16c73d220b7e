/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark35;

import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.hadoop.PenstockFileSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.execution.streaming.CheckpointFileManager;
import org.apache.spark.sql.execution.streaming.CheckpointFileManagerTests;
import scala.Function1;
import scala.runtime.BoxedUnit;

/** The suite for checkpoint managers of Spark 3.5, unchanged, on ours. */
public final class SparksManagerSuite extends CheckpointFileManagerTests {
  private static final AtomicInteger RUNS = new AtomicInteger();

  private final Configuration conf = new Configuration();

  static int runs() {
    return RUNS.get();
  }

  @Override
  public void withTempHadoopPath(Function1<Path, BoxedUnit> body) {
    try (EmbeddedS3 s3 = EmbeddedS3.builder().bucket("lake").start()) {
      conf.set("penstock.endpoint", s3.endpoint().toString());
      conf.set("penstock.credentials", "anonymous");
      conf.set("fs.s3.impl", PenstockFileSystem.bestClassName());
      body.apply(new Path("s3://lake/managers/" + RUNS.incrementAndGet()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void checkLeakingCrcFiles(Path path) {
    // There are none in S3.
  }

  @Override
  public CheckpointFileManager createManager(Path path) {
    return new PenstockCheckpointFileManager(path, conf);
  }
}
