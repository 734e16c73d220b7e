/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import io.penstock.core.store.ByteRange;
import io.penstock.hadoop.stream.TaskSplits;
import java.net.URI;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.fs.Path;
import org.apache.spark.rdd.InputFileBlockHolder;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.internal.SQLConf;

/**
 * Finds the split of a file where Spark keeps it for {@code input_file_name()}. Spark's readers of
 * files and Iceberg's set it before they open the file.
 */
public final class SparkSplits implements TaskSplits {
  private static final String SPARKS_ROWS = "org.apache.spark.sql.catalyst.";

  @Override
  public Optional<Split> of(Path path) {
    try {
      String file = InputFileBlockHolder.getInputFilePath().toString();
      long start = InputFileBlockHolder.getStartOffset();
      long length = InputFileBlockHolder.getLength();
      boolean isThis = start >= 0 && length > 0 && isSame(file, path);
      return isThis
          ? Optional.of(new Split(new ByteRange(start, start + length), plannedBytes(file, path)))
          : Optional.empty();
    } catch (LinkageError | RuntimeException e) {
      return Optional.empty(); // No Spark is here, or one that keeps its splits elsewhere.
    }
  }

  /**
   * Returns the size that the file had when the query was planned. Where Spark skips files that
   * cannot be read, an error would skip one without a word.
   */
  private static OptionalLong plannedBytes(String file, Path path) {
    if (!isInSameBucket(file, path) || SQLConf.get().ignoreCorruptFiles()) {
      return OptionalLong.empty();
    }
    return ScannedFiles.ofThisTask().stream()
        .filter(scanned -> scanned.urlEncodedPath().equals(file))
        .filter(SparkSplits::isPlannedBySpark)
        .mapToLong(PartitionedFile::fileSize)
        .filter(bytes -> bytes > 0) // Other writers of plans leave it out.
        .findFirst();
  }

  /**
   * Returns false for a plan of Hudi's: it reads several files for one that it names, whose size is
   * the sum of theirs, and finds them by what it puts in the place of the partition's values.
   */
  private static boolean isPlannedBySpark(PartitionedFile scanned) {
    return scanned.partitionValues().getClass().getName().startsWith(SPARKS_ROWS);
  }

  private static boolean isInSameBucket(String file, Path path) {
    URI named = URI.create(file);
    String scheme = named.getScheme();
    return scheme != null
        && scheme.startsWith("s3")
        && Objects.equals(named.getAuthority(), path.toUri().getAuthority());
  }

  private static boolean isSame(String file, Path path) {
    URI named = URI.create(file);
    return path.toUri().getPath().equals(named.getPath());
  }
}
