/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import static io.penstock.doctor.Verdict.FAIL;
import static io.penstock.doctor.Verdict.PASS;
import static io.penstock.doctor.Verdict.SKIPPED;
import static io.penstock.doctor.Verdict.WARN;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.doctor.CheckOutcome;
import io.penstock.doctor.machine.ScriptedMachine;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SparkHomeTest {
  private static final String HOME = "/opt/spark";
  private static final Map<String, String> PLUGIN =
      Map.of("spark.plugins", "io.penstock.spark.PenstockPlugin");

  private final ScriptedMachine machine = new ScriptedMachine();

  private Job job(Map<String, String> settings) {
    return new Job(Given.ofHadoop(settings), SparkHome.at(HOME, machine));
  }

  private void install(String... jars) {
    machine.directory(HOME + "/jars", jars);
  }

  private CheckOutcome spark() {
    return new SparkHomeCheck(machine, Optional.of(HOME), job(Map.of())).look().get(0);
  }

  @Test
  void releasesAreKnownByTheNamesOfJars() {
    install("spark-core_2.13-4.1.2.jar", "hadoop-client-api-3.4.2.jar");
    assertThat(spark().verdict()).isEqualTo(PASS);
    assertThat(spark().said()).isEqualTo("4.1.2, Scala 2.13, Hadoop 3.4.2");

    install("spark-core_2.13-4.0.0-SNAPSHOT.jar", "hadoop-common-3.4.1.jar");
    assertThat(spark().said()).isEqualTo("4.0.0, Scala 2.13, Hadoop 3.4.1");
  }

  @Test
  void anOldSparkFailsAndANewOneIsToldAndNoneIsAMistake() {
    install("spark-core_2.12-3.2.4.jar");
    assertThat(spark().verdict()).isEqualTo(FAIL);
    install("spark-core_2.13-5.0.0.jar");
    assertThat(spark().verdict()).isEqualTo(WARN);
    install("readme.txt");
    assertThat(spark().said()).isEqualTo("no jars/spark-core_*.jar is in /opt/spark");
  }

  @Test
  void jarsOfS3aMustBeOfOneRelease() {
    install(
        "spark-core_2.13-4.1.2.jar",
        "hadoop-client-api-3.4.2.jar",
        "hadoop-aws-3.3.4.jar",
        "bundle-2.29.52.jar");
    List<CheckOutcome> outcomes = new SchemeCheck(job(Map.of())).look();
    assertThat(outcomes).extracting(CheckOutcome::verdict).containsExactly(WARN, FAIL);
    assertThat(outcomes.get(0).said()).isEqualTo("s3:// is served by nothing, s3a:// by S3A");
    assertThat(outcomes.get(1).said())
        .isEqualTo("hadoop-aws is 3.3.4, but the rest of Hadoop is 3.4.2");

    install("spark-core_2.13-4.1.2.jar", "hadoop-client-api-3.4.2.jar", "hadoop-aws-3.4.2.jar");
    assertThat(new SchemeCheck(job(Map.of())).look().get(1).said())
        .isEqualTo("hadoop-aws 3.4.2 without an AWS SDK");
    assertThat(new SchemeCheck(job(PLUGIN)).look())
        .extracting(CheckOutcome::verdict)
        .containsExactly(PASS);
  }

  @Test
  void theJarAndTheSettingBelongTogether() {
    install("spark-core_2.13-4.1.2.jar");
    assertThat(new PenstockCheck(job(PLUGIN)).look().get(0).verdict()).isEqualTo(WARN);
    assertThat(new PenstockCheck(job(Map.of())).look().get(0).verdict()).isEqualTo(SKIPPED);
    for (String off : List.of("penstock.filesystem", "penstock.spark.enabled")) {
      Job job = job(Map.of("spark.plugins", PLUGIN.get("spark.plugins"), off, "false"));
      assertThat(new PenstockCheck(job).look().get(0).said()).contains(off);
      assertThat(job.usesPenstock()).isFalse();
    }

    install("spark-core_2.13-4.1.2.jar", "penstock-spark.jar");
    assertThat(new PenstockCheck(job(PLUGIN)).look().get(0).verdict()).isEqualTo(PASS);
    assertThat(new PenstockCheck(job(Map.of())).look().get(0).verdict()).isEqualTo(WARN);
  }
}
