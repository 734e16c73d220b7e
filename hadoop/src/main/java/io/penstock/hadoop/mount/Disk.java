/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The operating system's calls that publish a file. Each call is a method, so that a test can make
 * it fail or lose its answer. An interrupt does not cut a call short.
 */
public interface Disk {
  Disk POSIX = new PosixDisk();

  /** The output of a new file. */
  abstract class Sink extends OutputStream {
    /** Waits until all written bytes are on the disk or on the server. */
    public abstract void sync() throws IOException;
  }

  /**
   * Creates a file in an existing directory, or empties the file of that name.
   *
   * @throws java.io.FileNotFoundException when the directory does not exist or is closed to this
   *     process
   */
  Sink create(Path file) throws IOException;

  /**
   * Gives a file a second name; link(2).
   *
   * @throws java.nio.file.FileAlreadyExistsException when the name is taken
   */
  void link(Path file, Path name) throws IOException;

  /** Renames a file, atomically, and replaces any file of the new name; rename(2). */
  void rename(Path from, Path to) throws IOException;

  /** Deletes a file if it exists. */
  void delete(Path file) throws IOException;

  /** Makes a directory and its parents. They are on the disk when this returns. */
  void makeDirectories(Path directory) throws IOException;

  /** Waits until the names in a directory are on the disk. */
  void syncDirectory(Path directory) throws IOException;

  /**
   * Returns the identity of a file, which is the same under each of its names; empty if the file
   * does not exist, or if the filesystem has no identities.
   */
  Optional<Object> identity(Path file) throws IOException;

  /**
   * Returns the number of names that a file has; 0 if the file does not exist.
   *
   * @throws UnsupportedOperationException when the filesystem does not count names
   */
  int names(Path file) throws IOException;
}
