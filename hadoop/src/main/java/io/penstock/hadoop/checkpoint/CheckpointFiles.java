/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.checkpoint;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/**
 * The storage of one query's checkpoint. It has the methods of Spark's {@code
 * CheckpointFileManager}, without a dependency on Spark. Safe for use by many threads.
 */
public interface CheckpointFiles {
  /**
   * Starts a file.
   *
   * @param overwrite true to replace an existing file; if false, an existing file stays and closing
   *     the output fails
   */
  AtomicOutput create(Path path, boolean overwrite) throws IOException;

  /**
   * Opens a file.
   *
   * @throws java.io.FileNotFoundException when the file does not exist
   */
  FSDataInputStream open(Path path) throws IOException;

  /** Returns the files and directories in a directory; empty if the directory does not exist. */
  List<FileStatus> list(Path path) throws IOException;

  void mkdirs(Path path) throws IOException;

  boolean exists(Path path) throws IOException;

  /** Deletes a file, or a directory with all its contents. Does nothing if neither exists. */
  void delete(Path path) throws IOException;

  /** Returns true if only this machine sees the files. */
  boolean isLocal();

  /**
   * Makes the checkpoint's directory if it is missing. Returns its path with scheme and authority.
   */
  Path createCheckpointDirectory() throws IOException;
}
