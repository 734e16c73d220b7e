/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkContext;

/**
 * A temporary directory of one run. The driver and the executors can reach it, and it is deleted at
 * the end of the run.
 */
final class WorkDirectory implements AutoCloseable {
  private final Path directory;
  private final Configuration configuration;

  private WorkDirectory(Path directory, Configuration configuration) {
    this.directory = directory;
    this.configuration = configuration;
  }

  /**
   * Creates a work directory.
   *
   * @param parent an address of any file system that Spark can write to, or a path on the local
   *     disks of the machines
   * @throws IllegalArgumentException if there is no parent and the executors are on other machines
   */
  static WorkDirectory open(SparkContext spark, Optional<String> parent) throws IOException {
    Configuration configuration = spark.hadoopConfiguration();
    if (parent.isPresent()) {
      Path all = address(parent.get());
      FileSystem files = all.getFileSystem(configuration);
      // An application has several: compare reads two runs.
      int number = 1;
      Path directory = new Path(all, name(spark, number));
      while (files.exists(directory)) {
        number++;
        directory = new Path(all, name(spark, number));
      }
      files.mkdirs(directory);
      return new WorkDirectory(files.makeQualified(directory), configuration);
    }
    if (!spark.isLocal()) {
      throw new IllegalArgumentException(
          "Spark's executors are on other machines, so --work-dir must name a directory that they"
              + " all reach, such as s3://BUCKET/tmp or hdfs:///tmp");
    }
    java.nio.file.Path local = Files.createTempDirectory("penstock-spark-");
    return new WorkDirectory(new Path(local.toUri()), configuration);
  }

  private static String name(SparkContext spark, int number) {
    return "penstock-" + spark.applicationId() + "-" + number;
  }

  private static Path address(String parent) {
    return parent.matches("[A-Za-z][A-Za-z0-9+.-]*:.*")
        ? new Path(parent)
        : new Path(java.nio.file.Path.of(parent).toAbsolutePath().normalize().toUri());
  }

  /** Returns the address of a file or directory in this directory. */
  String resolve(String name) {
    return new Path(directory, name).toString();
  }

  @Override
  public void close() throws IOException {
    directory.getFileSystem(configuration).delete(directory, true);
  }
}
