/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.checkpoint.mount;

import io.penstock.core.time.Time;
import io.penstock.hadoop.checkpoint.CheckpointFiles;
import io.penstock.hadoop.checkpoint.Writers;
import io.penstock.hadoop.mount.SharedCheckpointFiles;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.spark.SparkContext;

/**
 * Opens checkpoints on mounted filesystems: EFS, NFS, or a local disk. This class is the only door
 * to what Penstock does for them, here and in {@code io.penstock.hadoop.mount}.
 */
public final class MountedCheckpoint {
  private MountedCheckpoint() {}

  /** Returns true for the file systems of Hadoop that show a mounted filesystem of this machine. */
  public static boolean isServedBy(FileSystem fs) {
    return (fs instanceof LocalFileSystem || fs instanceof RawLocalFileSystem)
        && FileSystems.getDefault().supportedFileAttributeViews().contains("unix");
  }

  /**
   * Opens a checkpoint to read it. A file may be written there without regard to other runs.
   *
   * @param location of the checkpoint, without a scheme or with {@code file}
   */
  public static CheckpointFiles open(Path location, Configuration conf) throws IOException {
    return new SharedCheckpointFiles(
        location, conf, Writers.UNKNOWN, SharedCheckpointFiles.Probe.NONE);
  }

  /**
   * Opens the checkpoint of a query. When its directory is made, the executors are asked whether
   * they can share it.
   *
   * @param location of the checkpoint, without a scheme or with {@code file}
   * @param writers asked before each overwrite
   * @param spark returns the application of this process; empty in a process that has none
   */
  public static CheckpointFiles open(
      Path location,
      Configuration conf,
      Writers writers,
      Time time,
      Supplier<Optional<SparkContext>> spark)
      throws IOException {
    return new SharedCheckpointFiles(
        location,
        conf,
        writers,
        made -> {
          Optional<SparkContext> application = spark.get();
          if (application.isPresent()) {
            MountProbe.check(time, application.get(), made);
          }
        });
  }
}
