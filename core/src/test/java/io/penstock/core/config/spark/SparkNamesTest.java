/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.config.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SparkNamesTest {
  private static final List<String> KNOWN = List.of("penstock.endpoint", "fs.s3a.endpoint");

  @Test
  void whatLooksLikeASettingForS3AndHasNoEffectIsNamed() {
    assertThat(
            SparkJudge.withoutEffect(
                List.of(
                    "spark.fs.s3a.endpoint",
                    "fs.s3a.path.style.access",
                    "spark.hadoop.penstok.endpoint",
                    "spark.hadoop.penstock.endpoint",
                    "spark.hadoop.fs.s3a.endpont",
                    "spark.hadoop.parquet.block.size",
                    "spark.executor.memory"),
                KNOWN))
        .as("SQL passes on what a builder sets without any prefix")
        .containsExactly(
            "spark.fs.s3a.endpoint has no effect: Spark passes it on only under the name"
                + " spark.hadoop.fs.s3a.endpoint",
            "spark.hadoop.penstok.endpoint has no effect: did you mean"
                + " spark.hadoop.penstock.endpoint?");
  }
}
