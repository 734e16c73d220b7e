/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The calls by which a file is published on the operating system: a method each, so that a test can
 * fail, or lose the answer, at any of them. An interrupt cuts none of them short.
 */
public interface Disk {
  Disk POSIX = new PosixDisk();

  /** A file being written. */
  abstract class Sink extends OutputStream {
    /** Returns when all that was written is on the disk, or on the server. */
    public abstract void sync() throws IOException;
  }

  /** A new file in a directory that is there. */
  Sink create(Path file) throws IOException;

  /**
   * Gives a file a second name; link(2).
   *
   * @throws java.nio.file.FileAlreadyExistsException when the name is taken
   */
  void link(Path file, Path name) throws IOException;

  /** Renames a file over whatever file has that name; rename(2). */
  void rename(Path from, Path to) throws IOException;

  /** Deletes a file that may not be there. */
  void delete(Path file) throws IOException;

  /** Makes a directory and those above it, on the disk when this returns. */
  void makeDirectories(Path directory) throws IOException;

  /** Returns when the names in a directory are on the disk. */
  void syncDirectory(Path directory) throws IOException;

  /** Returns what a file is, whatever its name; empty when there is none of that name. */
  Optional<Object> identity(Path file) throws IOException;

  /** Returns how many names a file has; 0 when there is none. */
  int names(Path file) throws IOException;
}
