/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.checkpoint;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/**
 * The storage of one query's checkpoint. It has the methods of Spark's {@code
 * CheckpointFileManager}, without a dependency on Spark. Safe for use by many threads. Failures are
 * Hadoop's exceptions, not those of {@link io.penstock.core.store.ObjectStore}.
 */
public interface CheckpointFiles {
  /**
   * Starts a file. Missing directories are made. No file is visible before the output is closed.
   *
   * @param overwrite true to replace an existing file; if false, an existing file stays and closing
   *     the output fails
   * @throws IOException also when the store cannot keep two writers apart
   */
  AtomicOutput create(Path path, boolean overwrite) throws IOException;

  /**
   * Opens a file.
   *
   * @throws java.io.FileNotFoundException when the file does not exist
   */
  FSDataInputStream open(Path path) throws IOException;

  /**
   * Returns the first bytes of a file; empty if it does not exist. Waits for a store that is away
   * as long as a write does.
   *
   * @param mostBytes so many, or all if there are fewer
   */
  default Optional<byte[]> read(Path path, int mostBytes) throws IOException {
    try (InputStream input = open(path)) {
      return Optional.of(input.readNBytes(mostBytes));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the files and directories in a directory; empty if the directory does not exist. The
   * order is not specified. A directory that was made counts even if it is empty.
   */
  List<FileStatus> list(Path path) throws IOException;

  /** Makes a directory and its parents. Succeeds also when it exists. */
  void mkdirs(Path path) throws IOException;

  /**
   * Returns true if a file or directory exists. May answer from what this run knows, without a
   * request: a file that only another run can have written may be reported as missing.
   *
   * @throws org.apache.hadoop.fs.FileAlreadyExistsException when a later run has written the file
   */
  boolean exists(Path path) throws IOException;

  /**
   * Deletes a file, or a directory with all its contents. Does nothing if neither exists.
   *
   * @throws IOException when it exists and cannot be deleted
   */
  void delete(Path path) throws IOException;

  /**
   * Returns the run that wrote the file, as text for an error; empty if the file does not exist, or
   * if no name is stored with it.
   */
  default Optional<String> writer(Path path) throws IOException {
    return Optional.empty();
  }

  /** Returns true if only this machine sees the files. */
  boolean isLocal();

  /**
   * Makes the checkpoint's directory if it is missing. Returns its path with scheme and authority.
   */
  Path createCheckpointDirectory() throws IOException;
}
