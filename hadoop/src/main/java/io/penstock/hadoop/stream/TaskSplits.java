/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.stream;

import io.penstock.core.store.ByteRange;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.ServiceLoader;
import org.apache.hadoop.fs.Path;

/**
 * Tells which part of a file the task of the calling thread reads. Readers of Parquet do not say so
 * when they open a file. {@link ServiceLoader} finds the implementation, so this module does not
 * know Spark.
 */
public interface TaskSplits {
  /**
   * A part of a file.
   *
   * @param fileBytes the size that the file had when its parts were planned; empty if not known
   */
  record Split(ByteRange range, OptionalLong fileBytes) {}

  /** Returns the part that the calling thread's task reads; empty if that is not known. */
  Optional<Split> of(Path path);

  /** Returns the implementation that the loader finds; without one, nothing is known. */
  static TaskSplits load(ClassLoader loader) {
    return ServiceLoader.load(TaskSplits.class, loader)
        .findFirst()
        .orElse(path -> Optional.empty());
  }
}
