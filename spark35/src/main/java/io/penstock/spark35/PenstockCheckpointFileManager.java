/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark35;

import io.penstock.hadoop.checkpoint.AtomicOutput;
import io.penstock.spark.checkpoint.QueryFiles;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.execution.streaming.CheckpointFileManager;
import org.apache.spark.sql.execution.streaming.CheckpointFileManager.CancellableFSDataOutputStream;

/**
 * The class for {@code spark.sql.streaming.checkpointFileManagerClass} on Spark 3.5 and 4.0. It and
 * the class beside it are those of {@code io.penstock.spark.checkpoint} but for the package that
 * Spark's trait was in; a test holds that.
 */
public final class PenstockCheckpointFileManager extends QueryFiles
    implements CheckpointFileManager {
  /** The constructor Spark looks for. */
  public PenstockCheckpointFileManager(Path path, Configuration conf) {
    super(path, conf, () -> new SparkFiles(path, conf));
  }

  @Override
  public CancellableFSDataOutputStream createAtomic(Path path, boolean overwriteIfPossible) {
    return new Stream(create(path, overwriteIfPossible));
  }

  private static final class Stream extends CancellableFSDataOutputStream {
    private final AtomicOutput output;

    Stream(AtomicOutput output) {
      super(output);
      this.output = output;
    }

    /** Spark expects no failure of a clean-up. */
    @Override
    public void cancel() {
      try {
        output.cancel();
      } catch (IOException e) {
        SparkFiles.LOG.warn("what was written of a file could not be dropped", e);
      }
    }
  }
}
