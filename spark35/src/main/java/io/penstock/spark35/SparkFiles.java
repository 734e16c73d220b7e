/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark35;

import io.penstock.hadoop.checkpoint.AtomicOutput;
import io.penstock.hadoop.checkpoint.CheckpointFiles;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.spark.sql.execution.streaming.CheckpointFileManager;
import org.apache.spark.sql.execution.streaming.CheckpointFileManager.CancellableFSDataOutputStream;
import org.apache.spark.sql.execution.streaming.FileContextBasedCheckpointFileManager;
import org.apache.spark.sql.execution.streaming.FileSystemBasedCheckpointFileManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves a checkpoint with Spark's own manager, which is chosen as Spark chooses it. */
final class SparkFiles implements CheckpointFiles {
  static final Logger LOG = LoggerFactory.getLogger(SparkFiles.class);

  private final CheckpointFileManager manager;

  SparkFiles(Path path, Configuration conf) {
    this.manager = managerOf(path, conf);
  }

  /**
   * Returns Spark's manager. Scala declares no checked exceptions, so the compiler refuses to catch
   * the specific exception.
   */
  private static CheckpointFileManager managerOf(Path path, Configuration conf) {
    try {
      return new FileContextBasedCheckpointFileManager(path, conf);
    } catch (Exception e) {
      if (e instanceof UnsupportedFileSystemException) {
        LOG.warn("{}: this file system does not guarantee atomic renames; use one that does", path);
        return new FileSystemBasedCheckpointFileManager(path, conf);
      }
      throw e;
    }
  }

  @Override
  public AtomicOutput create(Path path, boolean overwrite) {
    CancellableFSDataOutputStream stream = manager.createAtomic(path, overwrite);
    return new AtomicOutput() {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        stream.write(bytes, offset, length);
      }

      @Override
      public void flush() throws IOException {
        stream.flush();
      }

      @Override
      public void close() throws IOException {
        stream.close();
      }

      @Override
      public void cancel() {
        stream.cancel();
      }
    };
  }

  @Override
  public FSDataInputStream open(Path path) {
    return manager.open(path);
  }

  @Override
  public List<FileStatus> list(Path path) {
    return List.of(manager.list(path));
  }

  @Override
  public void mkdirs(Path path) {
    manager.mkdirs(path);
  }

  @Override
  public boolean exists(Path path) {
    return manager.exists(path);
  }

  @Override
  public void delete(Path path) {
    manager.delete(path);
  }

  @Override
  public boolean isLocal() {
    return manager.isLocal();
  }

  @Override
  public Path createCheckpointDirectory() {
    return manager.createCheckpointDirectory();
  }
}
