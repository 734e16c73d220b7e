/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.checkpoint;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/**
 * The place where a query's checkpoint is, as Structured Streaming asks for it: the methods of
 * Spark's {@code CheckpointFileManager}, without Spark. Safe for use by many threads.
 */
public interface CheckpointFiles {
  /**
   * Starts a file.
   *
   * @param overwrite whether a file that is there already is replaced; otherwise it stays, and
   *     closing the output fails
   */
  AtomicOutput create(Path path, boolean overwrite) throws IOException;

  /**
   * Opens a file.
   *
   * @throws java.io.FileNotFoundException when it is not there
   */
  FSDataInputStream open(Path path) throws IOException;

  /** The files and directories in a directory; none when there is no such directory. */
  List<FileStatus> list(Path path) throws IOException;

  void mkdirs(Path path) throws IOException;

  boolean exists(Path path) throws IOException;

  /** Deletes a file, or a directory with all that is in it; no failure when there is neither. */
  void delete(Path path) throws IOException;

  /** Returns true if only this machine sees the files. */
  boolean isLocal();

  /** The checkpoint's own path with scheme and authority, made where it is missing. */
  Path createCheckpointDirectory() throws IOException;
}
