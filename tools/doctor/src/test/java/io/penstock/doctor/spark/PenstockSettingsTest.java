/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import static io.penstock.doctor.Verdict.FAIL;
import static io.penstock.doctor.Verdict.PASS;
import static io.penstock.doctor.Verdict.WARN;
import static io.penstock.doctor.spark.SampleJobs.PLUGIN;
import static io.penstock.doctor.spark.SampleJobs.SPARK_35;
import static io.penstock.doctor.spark.SampleJobs.SPARK_41;
import static io.penstock.doctor.spark.SampleJobs.job;
import static io.penstock.doctor.spark.SampleJobs.look;
import static io.penstock.doctor.spark.SampleJobs.only;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.MissingConfigException;
import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of settings, and what the plugin would say of them. */
class PenstockSettingsTest {
  private static NamesCheck names(Job job) {
    ConfigKey<?> endpoint =
        ConfigKey.text("endpoint").alsoReads("fs.s3a.endpoint", "fs.s3.endpoint");
    return new NamesCheck(
        job, new PenstockView(List.of(endpoint), settings -> List.of(), settings -> {}));
  }

  @Test
  void whatLacksSparksPrefixIsLost() {
    Given given =
        Given.ofSpark(Map.of("fs.s3a.threads.max", "9", "spark.hadoop.fs.s3a.retry.limit", "3"));
    CheckOutcome outcome = only(PenstockSettingsTest::names, new Job(given, Optional.empty()));

    assertThat(outcome.verdict()).isEqualTo(FAIL);
    assertThat(outcome.fix()).isEqualTo("Write spark.hadoop.fs.s3a.threads.max.");
    assertThat(given.values()).isEqualTo(Map.of("fs.s3a.retry.limit", "3"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fs.s3a.conection.maximum      | Did you mean fs.s3a.connection.maximum?",
        "fs.s3a.bucket.my.lake.endpont | Did you mean fs.s3a.bucket.my.lake.endpoint?",
        "spark.speculaton              | Did you mean spark.speculation?",
        "parquet.blok.size             | Did you mean parquet.block.size?",
        "fs.s3.endpoit                 | Did you mean fs.s3.endpoint?",
        "penstok.endpoint              | Did you mean penstock.endpoint?",
        "fs.s3a.canned.acl             | 'Remove the setting, or correct its name.'",
      })
  void aMistypedNameIsCorrected(String name, String fix) {
    CheckOutcome outcome = only(PenstockSettingsTest::names, job(null, name + "=1"));
    assertThat(outcome.verdict()).isEqualTo(WARN);
    assertThat(outcome.fix()).isEqualTo(fix);
  }

  @ParameterizedTest
  @CsvSource({
    "fs.s3a.bucket.my.lake.endpoint",
    "fs.s3a.bucket.lake.accesspoint.arn",
    "fs.s3.some.thing",
    "hadoop.some.thing",
    "fs.s3a.ext.of.somebody",
    "spark.some.thing.else",
    "parquet.compression"
  })
  void aNameThatIsRightOrOfOthersIsLeftAlone(String name) {
    assertThat(only(PenstockSettingsTest::names, job(null, name + "=1")).verdict()).isEqualTo(PASS);
  }

  @Test
  void whatSparkPassesOnUnderAnotherNameOnlyIsLost() {
    CheckOutcome outcome =
        only(PenstockSettingsTest::names, job(null, "spark.fs.s3a.endpoint=http://minio:9000"));
    assertThat(outcome.verdict()).isEqualTo(FAIL);
    assertThat(outcome.fix()).isEqualTo("Write spark.hadoop.fs.s3a.endpoint.");
  }

  @Test
  void whatPenstockWouldRefuseFails() {
    PenstockView view =
        new PenstockView(
            List.of(),
            settings -> List.of(),
            settings -> {
              if (settings.foreign("fs.s3a.class").isPresent()) {
                throw new MissingConfigException("fs.s3a.class names X, which is not there.");
              }
              throw new ConfigException("fs.s3.cse.enabled=true: not supported.");
            });
    Function<Job, Check> check = job -> new PenstockSettingsCheck(job, view);

    assertThat(only(check, job(null, PLUGIN)).verdict()).isEqualTo(FAIL);
    assertThat(only(check, job(null, PLUGIN)).said()).startsWith("fs.s3.cse.enabled=true");
    assertThat(only(check, job(null, PLUGIN, "fs.s3a.class=X")).verdict()).isEqualTo(WARN);
    assertThat(only(check, job(null, PLUGIN, "fs.s3a.bucket.a.region=b")).verdict())
        .as("the bucket may have what the others lack")
        .isEqualTo(WARN);
    assertThat(only(check, job(null, "fs.s3a.x=y")).verdict()).as("S3A's job").isEqualTo(PASS);
  }

  @Test
  void anotherFileSystemAndAMisspelledPluginFail() {
    Function<Job, Check> check =
        job ->
            new PenstockSettingsCheck(
                job, new PenstockView(List.of(), settings -> List.of(), settings -> {}));
    assertThat(only(check, job(null, PLUGIN, "fs.s3.impl=com.acme.Guard")).said())
        .contains("names another file system");
    assertThat(
            only(check, job(null, PLUGIN, "fs.s3.impl=com.amazon.ws.emr.hadoop.fs.EmrFileSystem"))
                .verdict())
        .isEqualTo(PASS);
    assertThat(only(PenstockCheck::new, job(null, "spark.plugins=a.B,io.penstock.PenstockPlugin")))
        .extracting(CheckOutcome::verdict, CheckOutcome::fix)
        .containsExactly(FAIL, "Set spark.plugins=io.penstock.spark.PenstockPlugin.");
  }

  @Test
  void aNativeEngineIsSaidToReadByItself() {
    String plugins = PLUGIN + ",org.apache.spark.CometPlugin";
    assertThat(only(NativeEngineCheck::new, job(null, plugins)).said())
        .startsWith("Comet reads S3 with its own client");
    assertThat(look(NativeEngineCheck::new, job(null, PLUGIN))).isEmpty();
  }

  @Test
  void keysOfTheShellDoNotReachADriverOfAStandaloneCluster() {
    SparkHome spark43 = new SparkHome("/opt/spark", List.of("spark-core_2.13-4.3.0.jar"));
    String[] cluster = {PLUGIN, "spark.submit.deployMode=cluster", "spark.master=spark://host:1"};
    assertThat(only(DriverKeysCheck::new, job(spark43, cluster)).verdict()).isEqualTo(WARN);
    assertThat(look(DriverKeysCheck::new, job(SPARK_41, cluster))).isEmpty();
    String[] withKeys = Arrays.copyOf(cluster, 4);
    withKeys[3] = "penstock.profile=lake";
    assertThat(look(DriverKeysCheck::new, job(spark43, withKeys))).isEmpty();
  }

  @Test
  void aNameOfAnotherReleaseIsTold() {
    String setting = "fs.s3a.connection.part.upload.timeout=30s";
    assertThat(only(PenstockSettingsTest::names, job(SPARK_35, setting)).said())
        .contains("is not a setting of S3A in Hadoop 3.3.4");
    assertThat(only(PenstockSettingsTest::names, job(SPARK_41, setting)).verdict()).isEqualTo(PASS);
  }

  @Test
  void penstocksOwnSettingsAreParsed() {
    List<ConfigKey<?>> keys =
        List.of(
            ConfigKey.count("threads.max").defaultsTo("64").doc("Threads."),
            ConfigKey.secret("secret.key").doc("A secret."));
    Function<Job, Check> check =
        job ->
            new PenstockSettingsCheck(
                job, new PenstockView(keys, settings -> List.of(), settings -> {}));

    assertThat(look(check, job(null, "penstock.threds.max=9", "penstock.threads.max=many")))
        .extracting(CheckOutcome::verdict)
        .containsExactly(FAIL, FAIL);
    assertThat(only(check, job(null, "penstock.threds.max=9")).said())
        .contains("Did you mean penstock.threads.max?");
    assertThat(
            only(check, job(null, "penstock.threads.max=1", "penstock.secret.key=hunter2"))
                .verdict())
        .isEqualTo(PASS);
  }
}
