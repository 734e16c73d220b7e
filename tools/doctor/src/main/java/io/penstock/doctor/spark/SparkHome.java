/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import io.penstock.doctor.machine.Machine;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An installed Spark, identified by the names of its jars.
 *
 * @param directory the directory that contains {@code jars}
 */
public record SparkHome(String directory, List<String> jars) {
  public SparkHome {
    jars = List.copyOf(jars);
  }

  /** Returns the Spark in a directory; empty when the directory contains no jars of Spark. */
  public static Optional<SparkHome> at(String directory, Machine machine) {
    List<String> jars = machine.list(directory + "/jars");
    return jars.stream().anyMatch(jar -> jar.startsWith("spark-core_"))
        ? Optional.of(new SparkHome(directory, jars))
        : Optional.empty();
  }

  Optional<Release> spark() {
    return release("spark-core_[0-9.]+");
  }

  /** Returns true if the release is known and before this one. */
  public boolean isOlderThan(int major, int minor) {
    return spark().filter(release -> release.isBefore(major, minor, 0)).isPresent();
  }

  Optional<String> scala() {
    Pattern name = Pattern.compile("spark-core_([0-9.]+)-.*");
    return jars.stream().map(name::matcher).filter(Matcher::matches).map(m -> m.group(1)).findAny();
  }

  Optional<Release> hadoop() {
    return release("hadoop-client-api").or(() -> release("hadoop-common"));
  }

  Optional<Release> hadoopAws() {
    return release("hadoop-aws");
  }

  Optional<Release> parquet() {
    return release("parquet-hadoop");
  }

  boolean hasSdk() {
    return jars.stream()
        .anyMatch(jar -> jar.startsWith("bundle-") || jar.startsWith("aws-java-sdk-"));
  }

  boolean hasCloudModule() {
    return jars.stream().anyMatch(jar -> jar.startsWith("spark-hadoop-cloud_"));
  }

  boolean hasPenstock() {
    return jars.stream().anyMatch(jar -> jar.startsWith("penstock-spark"));
  }

  private Optional<Release> release(String jar) {
    Pattern name = Pattern.compile(jar + "-(\\d+\\.\\d+.*)\\.jar");
    return jars.stream()
        .map(name::matcher)
        .filter(Matcher::matches)
        .map(match -> Release.of(match.group(1)))
        .findFirst();
  }
}
