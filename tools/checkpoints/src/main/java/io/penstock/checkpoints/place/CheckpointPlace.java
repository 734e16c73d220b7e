/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.place;

import java.io.IOException;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * The files of a checkpoint in a bucket or a directory.
 *
 * <p>{@code read}, {@code copy} and {@code delete} are for the file as it was listed. If it has
 * changed or is gone, they fail with a {@link FileChangedException}. A change at the very moment of
 * the call may go unnoticed, and a copy may then be left at its target.
 */
public interface CheckpointPlace extends AutoCloseable {
  /** Returns the location for messages, as a user would write it. */
  String where();

  /**
   * Returns all files below a path; none when the path does not exist.
   *
   * @param below empty for all files, or a path that ends with {@code /}
   * @param progress receives the number of files found so far, from time to time
   */
  List<StoredFile> list(String below, LongConsumer progress) throws IOException;

  /**
   * Reads at most the given number of bytes from a position. Returns fewer bytes only at the end of
   * the file.
   */
  byte[] read(StoredFile file, long start, int maxBytes) throws IOException;

  /** Copies a file to another path below the checkpoint. */
  void copy(StoredFile file, String to) throws IOException;

  /** Deletes a file. */
  void delete(StoredFile file) throws IOException;

  @Override
  void close();
}
