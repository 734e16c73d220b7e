/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager;
import org.apache.spark.sql.execution.streaming.checkpointing.ChecksumCheckpointFileManager;

/** The same with the files of checksums that Spark 4.1 and later write beside others. */
public final class SparksManagerSuiteUnderChecksums extends SparksManagerSuite {
  @Override
  public CheckpointFileManager createManager(Path path) {
    return new ChecksumCheckpointFileManager(super.createManager(path), true, 4, true);
  }
}
