/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import static io.penstock.doctor.Verdict.FAIL;
import static io.penstock.doctor.Verdict.PASS;
import static io.penstock.doctor.Verdict.WARN;
import static io.penstock.doctor.spark.SampleJobs.PLUGIN;
import static io.penstock.doctor.spark.SampleJobs.SPARK_35;
import static io.penstock.doctor.spark.SampleJobs.SPARK_41;
import static io.penstock.doctor.spark.SampleJobs.job;
import static io.penstock.doctor.spark.SampleJobs.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.ConfigKey;
import io.penstock.doctor.CheckOutcome;
import io.penstock.doctor.DoctorReport.Effective;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsChecksTest {
  private static PoolCheck pool(Job job) {
    return new PoolCheck(
        job,
        List.of(
            ConfigKey.count("connections.max")
                .alsoReads("fs.s3a.connection.maximum", "fs.s3.maxConnections")));
  }

  @Test
  void aFileOfSparksAndOneOfHadoopsAreRead() throws IOException {
    assertThat(ConfText.properties("# c\nspark.a   b c\nspark.d=e\nspark.f: g\n\n! h\nspark.i\n"))
        .isEqualTo(Map.of("spark.a", "b c", "spark.d", "e", "spark.f", "g", "spark.i", ""));
    assertThat(
            ConfText.xml(
                "<?xml version=\"1.0\"?><configuration><property><name> a </name>\n"
                    + "<value>1 &lt; 2</value><final>true</final></property></configuration>"))
        .isEqualTo(Map.of("a", "1 < 2"));
    assertThatThrownBy(() -> ConfText.xml("<a><b></a>")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> ConfText.properties("a=\\u12")).isInstanceOf(IOException.class);
  }

  @Test
  void aFileThatRefersToOthersGetsNothingOfThem() {
    assertThatThrownBy(
            () ->
                ConfText.xml(
                    "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>"
                        + "<configuration><property><name>a</name><value>&x;</value></property>"
                        + "</configuration>"))
        .isInstanceOf(IOException.class);
  }

  @Test
  void aRequestTimeoutDoesNotReachUploadsAnyMore() {
    String setting = "fs.s3a.connection.request.timeout=30s";
    assertThat(only(TimeoutCheck::new, job(SPARK_41, setting)).said())
        .contains("does not apply to");
    assertThat(
            only(
                    TimeoutCheck::new,
                    job(SPARK_41, setting, "fs.s3a.connection.part.upload.timeout=60s"))
                .verdict())
        .isEqualTo(PASS);
    assertThat(only(TimeoutCheck::new, job(SPARK_35)).said()).contains("it is off in Hadoop 3.3.4");
    assertThat(only(TimeoutCheck::new, job(SPARK_35, setting)).verdict()).isEqualTo(PASS);
  }

  @Test
  void aPartNeedsItsTime() {
    String[] settings = {"fs.s3a.connection.part.upload.timeout=15s", "fs.s3a.multipart.size=512M"};
    CheckOutcome outcome = only(TimeoutCheck::new, job(SPARK_41, settings));
    assertThat(outcome.said()).contains("a part of 512 MiB takes 104 s at 5 MiB/s");
  }

  @Test
  void retriesWithinRetriesAreMultiplied() {
    CheckOutcome today = only(RetryCheck::new, job(SPARK_41));
    assertThat(today.verdict()).isEqualTo(PASS);
    assertThat(today.numbers()).isEqualTo(Map.of("attempts", 40L, "hangingMillis", 607_000L));

    CheckOutcome doubled = only(RetryCheck::new, job(SPARK_41, "fs.s3a.retry.limit=10"));
    assertThat(doubled.verdict()).isEqualTo(WARN);
    long waits = 2046 * 500;
    assertThat(doubled.numbers().get("hangingMillis")).isEqualTo(waits + 11 * 60_000);

    CheckOutcome before = only(RetryCheck::new, job(SPARK_35));
    assertThat(before.verdict()).isEqualTo(WARN);
    assertThat(before.numbers().get("attempts")).isEqualTo(160);
    assertThat(before.fix()).contains("fs.s3a.connection.request.timeout=30s");

    assertThat(only(RetryCheck::new, job(SPARK_35, PLUGIN)).said())
        .contains("one layer of retries: at most 24 attempts");
    assertThat(only(RetryCheck::new, job(SPARK_35, PLUGIN, "fs.s3.maxRetries=3")).said())
        .contains("at most 4 attempts");
  }

  @Test
  void aPoolMustHoldWhatThreadsWant() {
    assertThat(only(SettingsChecksTest::pool, job(SPARK_41)).verdict()).isEqualTo(PASS);
    CheckOutcome small =
        only(
            SettingsChecksTest::pool,
            job(SPARK_41, "fs.s3a.connection.maximum=100", "spark.executor.cores=8"));
    assertThat(small.verdict()).isEqualTo(WARN);
    assertThat(small.numbers()).isEqualTo(Map.of("connections", 100L, "wanted", 136L));
    assertThat(
            only(SettingsChecksTest::pool, job(SPARK_41, PLUGIN, "penstock.connections.max=10"))
                .fix())
        .contains("penstock.connections.max=72");
    assertThat(
            only(SettingsChecksTest::pool, job(SPARK_41, PLUGIN, "fs.s3.maxConnections=300"))
                .said())
        .startsWith("300 connections");
  }

  @Test
  void anAllocationSizeDoesNothingWithVectoredReads() {
    String setting = "parquet.read.allocation.size=128M";
    assertThat(only(ScanCheck::new, job(SPARK_41, setting)).said()).contains("has no effect");
    assertThat(only(ScanCheck::new, job(SPARK_35, setting)).verdict()).isEqualTo(PASS);
    assertThat(
            only(ScanCheck::new, job(SPARK_41, setting, "parquet.hadoop.vectored.io.enabled=false"))
                .verdict())
        .isEqualTo(PASS);
  }

  @Test
  void aSplitSmallerThanARowGroupLeavesTasksWithoutRows() {
    assertThat(only(ScanCheck::new, job(SPARK_41, "spark.sql.files.maxPartitionBytes=64m")).said())
        .contains("some tasks get no rows");
    assertThat(only(ScanCheck::new, job(SPARK_41, "spark.sql.files.maxPartitionBytes=4g")).fix())
        .isEqualTo("Set 128m to 512m.");
  }

  @Test
  void theCommitterIsJudgedByWhatSparkWouldUse() {
    assertThat(only(CommitterCheck::new, job(SPARK_41)).said()).contains("S3A's magic");
    assertThat(only(CommitterCheck::new, job(SPARK_35)).verdict()).isEqualTo(WARN);
    assertThat(
            only(
                    CommitterCheck::new,
                    job(SPARK_35, "mapreduce.fileoutputcommitter.algorithm.version=2"))
                .verdict())
        .isEqualTo(FAIL);
    assertThat(only(CommitterCheck::new, job(SPARK_35, "fs.s3a.committer.name=magic")).said())
        .contains("Spark 3.5.9 needs further settings to use it");
    assertThat(only(CommitterCheck::new, job(SPARK_35, PLUGIN)).verdict()).isEqualTo(PASS);
    String protocol = "spark.sql.sources.commitProtocolClass=";
    CheckOutcome other = only(CommitterCheck::new, job(SPARK_35, PLUGIN, protocol + "com.Other"));
    assertThat(other.verdict()).isEqualTo(FAIL);
    assertThat(other.said()).contains("the plugin refuses to start with it");
    assertThat(
            only(
                    CommitterCheck::new,
                    job(
                        SPARK_35,
                        PLUGIN,
                        protocol + "com.Other",
                        "penstock.spark.commit.enabled=false"))
                .verdict())
        .isEqualTo(PASS);
    String s3a = "org.apache.spark.internal.io.cloud.PathOutputCommitProtocol";
    assertThat(only(CommitterCheck::new, job(SPARK_41, PLUGIN, protocol + s3a)).verdict())
        .isEqualTo(PASS);
    String parquet = "spark.sql.parquet.output.committer.class=";
    assertThat(
            only(
                    CommitterCheck::new,
                    job(
                        SPARK_35,
                        PLUGIN,
                        parquet
                            + "org.apache.spark.internal.io.cloud.BindingParquetOutputCommitter"))
                .verdict())
        .isEqualTo(WARN);
  }

  @Test
  void theCheckpointManagerIsJudgedToo() {
    String manager = "spark.sql.streaming.checkpointFileManagerClass=";
    assertThat(only(CheckpointManagerCheck::new, job(SPARK_41)).verdict()).isEqualTo(WARN);
    assertThat(only(CheckpointManagerCheck::new, job(SPARK_41, PLUGIN)).verdict()).isEqualTo(PASS);
    assertThat(
            only(CheckpointManagerCheck::new, job(SPARK_41, PLUGIN, manager + "a.Other")).verdict())
        .isEqualTo(FAIL);
  }

  @Test
  void effectiveSettingsAreThoseOfTheReleaseAndShowNoSecret() {
    Job job =
        job(
            SPARK_35,
            "fs.s3a.connection.maximum=20",
            "fs.s3a.connection.ttl=1m",
            "penstock.secret.key=hunter2");
    List<Effective> rows = EffectiveSettings.of(job, List.of());

    assertThat(rows)
        .contains(
            new Effective("fs.s3a.connection.maximum", "20", "set"),
            new Effective("fs.s3a.connection.ttl", "1m", "wrong for Hadoop 3.3.4"),
            new Effective("fs.s3a.attempts.maximum", "20", "default"),
            new Effective("fs.s3a.vectored.active.ranged.reads", "-", "not in Hadoop 3.3.4"),
            new Effective("spark.plugins", "-", "not set"),
            new Effective("penstock.secret.key", "(hidden)", "set"));
    assertThat(
            EffectiveSettings.of(
                job(SPARK_41, PLUGIN, "fs.s3a.attempts.maximum=3", "fs.s3a.threads.max=9"),
                List.of("fs.s3a.attempts.maximum")))
        .contains(
            new Effective("fs.s3a.attempts.maximum", "3", "no effect here"),
            new Effective("fs.s3a.threads.max", "9", "set"))
        .noneMatch(row -> row.name().equals("fs.s3a.retry.limit"));
    assertThat(EffectiveSettings.of(job(SPARK_41), List.of()))
        .contains(new Effective("fs.s3a.attempts.maximum", "5", "default"));
  }

  @Test
  void everyNameOfASecretHidesItsValue() {
    for (String name :
        List.of(
            "fs.s3a.secret.key",
            "fs.s3a.access.key",
            "fs.s3.awsAccessKeyId",
            "fs.s3.awsSecretAccessKey",
            "fs.s3a.session.token",
            "fs.s3a.proxy.password",
            "fs.s3a.encryption.key",
            "spark.ssl.keyPassword")) {
      assertThat(Shown.value(name, "hunter2")).as(name).isEqualTo("(hidden)");
    }
    assertThat(Shown.value("fs.s3a.endpoint", "http://me:hunter2@store"))
        .isEqualTo("http://(hidden)@store");
  }

  @ParameterizedTest
  @CsvSource({"64M, 67108864", "128MB, 134217728", "1g, 1073741824", "512 KiB, 524288", "7, 7"})
  void sizesAreReadAsHadoopAndSparkWriteThem(String text, long bytes) {
    assertThat(Quantity.bytes(text)).hasValue(bytes);
  }

  @Test
  void whatIsNoQuantityIsNone() {
    assertThat(Quantity.bytes("many")).isEmpty();
    assertThat(Quantity.millis("5 fortnights")).isEmpty();
    assertThat(Quantity.millis("15m")).hasValue(900_000);
    assertThat(Quantity.count("x", 3)).isEqualTo(3);
  }
}
