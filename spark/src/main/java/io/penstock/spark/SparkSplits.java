/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import io.penstock.core.store.ByteRange;
import io.penstock.hadoop.TaskSplits;
import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.spark.rdd.InputFileBlockHolder;

/**
 * Finds the split of a file where Spark keeps it for {@code input_file_name()}. Spark's readers of
 * files and Iceberg's set it before they open the file.
 */
public final class SparkSplits implements TaskSplits {
  @Override
  public Optional<ByteRange> of(Path path) {
    try {
      String file = InputFileBlockHolder.getInputFilePath().toString();
      long start = InputFileBlockHolder.getStartOffset();
      long length = InputFileBlockHolder.getLength();
      boolean isThis = start >= 0 && length > 0 && isSame(file, path);
      return isThis ? Optional.of(new ByteRange(start, start + length)) : Optional.empty();
    } catch (LinkageError | RuntimeException e) {
      return Optional.empty(); // No Spark is here, or one that keeps its splits elsewhere.
    }
  }

  private static boolean isSame(String file, Path path) {
    URI named = URI.create(file);
    return path.toUri().getPath().equals(named.getPath());
  }
}
