/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints;

import java.io.IOException;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * A place with a checkpoint in it: a prefix of a bucket, or a directory.
 *
 * <p>{@code read}, {@code copy} and {@code delete} act on the file as it was listed. If it has
 * changed since then, they fail with a {@link FileChangedException} and do nothing.
 */
public interface CheckpointFiles extends AutoCloseable {
  /** Returns the place for messages, as a user would write it. */
  String where();

  /**
   * Every file below a path; none when nothing is there.
   *
   * @param below empty for all, or a path that ends with {@code /}
   * @param progress is told now and then how many were found
   */
  List<StoredFile> list(String below, LongConsumer progress) throws IOException;

  /** At most so many bytes from a position; fewer only at the end of the file. */
  byte[] read(StoredFile file, long start, int maxBytes) throws IOException;

  /** Makes a copy at another path below the checkpoint. */
  void copy(StoredFile file, String to) throws IOException;

  void delete(StoredFile file) throws IOException;

  @Override
  void close();
}
