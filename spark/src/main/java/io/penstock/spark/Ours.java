/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import io.penstock.hadoop.OutputPaths;
import io.penstock.hadoop.PenstockFileSystem;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Finds Penstock's file system of a path, or says why there is none. */
final class Ours {
  private static final Set<String> SCHEMES = Set.of("s3", "s3a");

  private Ours() {}

  /**
   * Returns the file system of a path.
   *
   * @throws IOException when Penstock does not serve the path
   */
  static PenstockFileSystem at(Path path, Configuration conf) throws IOException {
    FileSystem fs = path.getFileSystem(conf);
    Optional<PenstockFileSystem> ours = PenstockFileSystem.behind(fs);
    if (ours.isPresent()) {
      return ours.get();
    }
    String scheme = path.toUri().getScheme();
    if (scheme != null && !SCHEMES.contains(scheme)) {
      throw new IOException(
          "%s is the location of a partition and not on S3, so a job that writes the table on S3 cannot commit files there. Set the partition's location to a path on S3, or write the partition in a separate job that names its path as the output"
              .formatted(OutputPaths.shown(path)));
    }
    throw new IOException(
        "%s is served by %s, so its files cannot be committed without a rename. Start Spark with spark.plugins=io.penstock.spark.PenstockPlugin, or set spark.hadoop.fs.%s.impl=io.penstock.hadoop.PenstockFileSystem. If one of these is set already, some code opened the bucket before the plugins started, or opened it with its own configuration. In that case, take hadoop-aws off the class path"
            .formatted(path, fs.getClass().getName(), scheme));
  }
}
