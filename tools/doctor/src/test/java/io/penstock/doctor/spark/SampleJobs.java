/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Jobs for tests, and what checks say of them. */
final class SampleJobs {
  static final String PLUGIN = "spark.plugins=io.penstock.spark.PenstockPlugin";

  static final SparkHome SPARK_35 =
      new SparkHome(
          "/opt/spark",
          List.of(
              "spark-core_2.12-3.5.9.jar",
              "hadoop-client-api-3.3.4.jar",
              "hadoop-aws-3.3.4.jar",
              "aws-java-sdk-bundle-1.12.262.jar",
              "parquet-hadoop-1.13.1.jar"));
  static final SparkHome SPARK_41 =
      new SparkHome(
          "/opt/spark",
          List.of(
              "spark-core_2.13-4.1.2.jar",
              "spark-hadoop-cloud_2.13-4.1.2.jar",
              "hadoop-client-api-3.4.2.jar",
              "hadoop-aws-3.4.2.jar",
              "bundle-2.29.52.jar",
              "parquet-hadoop-1.16.0.jar"));

  static Job job(SparkHome home, String... settings) {
    return new Job(Given.ofHadoop(pairs(settings)), Optional.ofNullable(home));
  }

  static Map<String, String> pairs(String... settings) {
    return Arrays.stream(settings)
        .map(setting -> setting.split("=", 2))
        .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
  }

  static List<CheckOutcome> look(Function<Job, Check> check, Job job) {
    try {
      return check.apply(job).look();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  static CheckOutcome only(Function<Job, Check> check, Job job) {
    List<CheckOutcome> outcomes = look(check, job);
    assertThat(outcomes).hasSize(1);
    return outcomes.get(0);
  }

  private SampleJobs() {}
}
