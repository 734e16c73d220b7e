/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkDirectoryTest {
  @TempDir private Path parent;

  /** Another test wants a Spark with other settings. */
  @AfterEach
  void stop() {
    SparkSession.active().stop();
  }

  /** Compare has the logs of two runs open at once. */
  @Test
  void anApplicationMayHaveSeveralBelowOneParent() throws IOException {
    LocalSpark.start(Map.of());
    SparkContext spark = SparkSession.active().sparkContext();
    Optional<String> named = Optional.of(parent.toString());

    try (WorkDirectory one = WorkDirectory.open(spark, named);
        WorkDirectory two = WorkDirectory.open(spark, named)) {
      assertThat(one.resolve("x")).isNotEqualTo(two.resolve("x"));
      try (Stream<Path> made = Files.list(parent)) {
        assertThat(made).hasSize(2);
      }
    }

    try (Stream<Path> left = Files.list(parent)) {
      assertThat(left).isEmpty();
    }
  }
}
