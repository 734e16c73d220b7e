/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark35;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Spark moved a trait; what is written for it twice must not differ otherwise. */
class SameSourceTest {
  private static String codeOf(String file, String sparkPackage) throws IOException {
    String text = Files.readString(Path.of(file)).replace(sparkPackage, "SPARK");
    // What follows the class's own comment.
    return text.substring(text.indexOf("final class")).replaceAll("\\s+", " ");
  }

  @Test
  void theClassesOfBothModulesAreTheSameButForTheirPackages() throws IOException {
    for (String name : new String[] {"PenstockCheckpointFileManager.java", "SparkFiles.java"}) {
      String older =
          codeOf(
              "src/main/java/io/penstock/spark35/" + name,
              "org.apache.spark.sql.execution.streaming");
      String newer =
          codeOf(
              "../spark/src/main/java/io/penstock/spark/checkpoint/" + name,
              "org.apache.spark.sql.execution.streaming.checkpointing");
      assertThat(older).as(name).isEqualTo(newer);
    }
  }
}
