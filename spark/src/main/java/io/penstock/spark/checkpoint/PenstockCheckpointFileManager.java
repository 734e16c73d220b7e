/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.checkpoint;

import io.penstock.hadoop.checkpoint.AtomicOutput;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager;
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager.CancellableFSDataOutputStream;

/**
 * The class for {@code spark.sql.streaming.checkpointFileManagerClass} on Spark 4.1 and later.
 * Spark 3.5 and 4.0 need the class of the same name in {@code io.penstock.spark35}. The plugin sets
 * the right class, but the class works without the plugin too. Spark's own manager serves the
 * locations that Penstock does not serve.
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

    /** Logs a failure of the clean-up, because Spark expects no exception here. */
    @Override
    public void cancel() {
      try {
        output.cancel();
      } catch (IOException e) {
        SparkFiles.LOG.warn("a partly written file could not be discarded", e);
      }
    }
  }
}
