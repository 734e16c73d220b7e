/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;

/**
 * Finds Penstock's file system behind others that wrap it. Unity Catalog, for example, sets {@code
 * fs.s3.impl} to a file system of its own that chooses the credentials of a table and passes each
 * call on.
 */
public final class WrappedFileSystems {
  /** Wrappers of wrappers end somewhere; one that wraps itself does not. */
  private static final int DEPTH_MAX = 8;

  private WrappedFileSystems() {}

  /** Returns the file system itself, or the one that it wraps, if that is Penstock's. */
  public static Optional<PenstockFileSystem> penstockIn(FileSystem fs) {
    FileSystem inner = fs;
    for (int depth = 0; depth < DEPTH_MAX; depth++) {
      if (inner instanceof PenstockFileSystem ours) {
        return Optional.of(ours);
      }
      if (!(inner instanceof FilterFileSystem filter)) {
        break;
      }
      inner = filter.getRawFileSystem();
    }
    return Optional.empty();
  }
}
