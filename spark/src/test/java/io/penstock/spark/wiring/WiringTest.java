/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.ConfigException;
import io.penstock.spark.PenstockCommitProtocol;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the plugin sets, and what it refuses to start with. */
class WiringTest {
  private static final String PROTOCOL = "spark.sql.sources.commitProtocolClass";
  private static final String MANAGER = "spark.sql.streaming.checkpointFileManagerClass";
  private static final String OURS = "io.penstock.spark.PenstockCommitProtocol";

  /** On the Hadoop of these tests; an older one gets the class without bulk deletes. */
  private static final String FILE_SYSTEM = "io.penstock.hadoop.BulkDeletingFileSystem";

  private final SparkConf spark = new SparkConf(false);
  private final Configuration hadoop = new Configuration(false);

  @Test
  void bothSchemesGetTheFileSystemAndTheCommitters() {
    apply();

    assertThat(hadoop.get("fs.s3.impl")).isEqualTo(FILE_SYSTEM);
    assertThat(hadoop.get("fs.s3a.impl")).isEqualTo(FILE_SYSTEM);
    assertThat(hadoop.get("fs.AbstractFileSystem.s3.impl"))
        .isEqualTo("io.penstock.hadoop.PenstockFs");
    assertThat(hadoop.get("fs.AbstractFileSystem.s3a.impl"))
        .isEqualTo("io.penstock.hadoop.PenstockFs");
    assertThat(hadoop.get("mapreduce.outputcommitter.factory.scheme.s3"))
        .isEqualTo("io.penstock.hadoop.commit.PenstockCommitterFactory");
    assertThat(hadoop.get("mapreduce.outputcommitter.factory.scheme.s3a"))
        .isEqualTo("io.penstock.hadoop.commit.PenstockCommitterFactory");
    assertThat(hadoop.get("mapred.output.committer.class"))
        .isEqualTo("io.penstock.hadoop.commit.PenstockMapredCommitter");
    assertThat(spark.get(PROTOCOL)).isEqualTo(OURS);
    assertThat(spark.get("spark.sql.sources.useListFilesFileSystemList")).isEqualTo("s3,s3a");
    assertThat(spark.get(MANAGER))
        .isEqualTo("io.penstock.spark.checkpoint.PenstockCheckpointFileManager");
  }

  @Test
  void theStartLineSaysWhatIsInForce() {
    spark.set("spark.eventLog.enabled", "true").set("spark.eventLog.dir", "s3a://id:hush@logs/e");
    apply();
    assertThat(wiring().inForce())
        .endsWith(
            "serves s3:// and s3a:// on Spark 4.1.3: commits without a rename, checkpoints by"
                + " conditional writes, flat listing, event log in s3a://logs/e");

    spark.set(PROTOCOL, "com.example.Protocol").remove(MANAGER).remove("spark.eventLog.enabled");
    assertThat(wiring().inForce())
        .endsWith(
            ": committers as configured, which may rename, checkpoints as configured, flat"
                + " listing, no event log");
  }

  @Test
  void withoutOurFileSystemThereMustBeAClientToHelp() {
    hadoop.set("penstock.filesystem", "false");
    assertThatThrownBy(this::apply)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("hadoop-aws");
    assertThat(hadoop.get("fs.s3a.impl")).isNull();
    assertThat(spark.contains(PROTOCOL)).isFalse();
  }

  @Test
  void thePluginCanBeSwitchedOff() {
    assertThat(wiring().isOff()).isFalse();
    hadoop.set("penstock.spark.enabled", "false");
    assertThat(wiring().isOff()).isTrue();
    hadoop.set("penstock.spark.enabled", "nope");
    assertThatThrownBy(() -> wiring().isOff())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("penstock.spark.enabled");
  }

  @Test
  void applyingTwiceIsNoConflict() {
    apply();
    apply();

    assertThat(spark.get(PROTOCOL)).isEqualTo(OURS);
  }

  @Test
  void aCommitterFactoryOfAllSchemesIsRefused() {
    hadoop.set("mapreduce.outputcommitter.factory.class", "com.example.Factory");

    assertThatThrownBy(this::apply)
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "mapreduce.outputcommitter.factory.class=com.example.Factory would commit RDDs by"
                + " rename, or without Penstock. Remove the setting; or, to keep it, also"
                + " set spark.hadoop.penstock.spark.commit.enabled=false.");
  }

  /** It may guard what jobs read: to replace it in silence would open what it shuts. */
  @Test
  void aFileSystemThatIsNoneOfS3sIsRefused() {
    hadoop.set("fs.s3.impl", "com.example.Guard");

    assertThatThrownBy(this::apply)
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("fs.s3.impl=com.example.Guard names another file system, and");
  }

  @Test
  void theFileSystemsOfOthersForS3AreReplaced() {
    hadoop.set("fs.s3.impl", "com.amazon.ws.emr.hadoop.fs.EmrFileSystem");
    hadoop.set("fs.s3a.impl", "shaded.databricks.org.apache.hadoop.fs.s3a.S3AFileSystem");

    apply();

    assertThat(hadoop.get("fs.s3.impl")).startsWith("io.penstock.");
    assertThat(hadoop.get("fs.s3a.impl")).startsWith("io.penstock.");
  }

  @Test
  void anotherCommitProtocolIsRefused() {
    spark.set(PROTOCOL, "com.example.Protocol");

    assertThatThrownBy(this::apply)
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "spark.sql.sources.commitProtocolClass=com.example.Protocol would commit by rename, or"
                + " without Penstock. Remove the setting; or, to keep it, also"
                + " set spark.hadoop.penstock.spark.commit.enabled=false.");
  }

  @Test
  void theCommitProtocolThatSparkSetsByItselfIsReplaced() {
    spark.set(PROTOCOL, "org.apache.spark.internal.io.cloud.PathOutputCommitProtocol");

    apply();

    assertThat(spark.get(PROTOCOL)).isEqualTo(OURS);
  }

  @Test
  void anotherCommitterOfTheOlderApiIsRefused() {
    hadoop.set("mapred.output.committer.class", "com.example.Committer");

    assertThatThrownBy(this::apply)
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("mapred.output.committer.class=com.example.Committer would commit")
        .hasMessageContaining("spark.hadoop.penstock.spark.commit.enabled=false");
  }

  @Test
  void theUsersCommittersAreKeptWhenOursAreSwitchedOff() {
    spark.set(PROTOCOL, "com.example.Protocol");
    hadoop.set("mapred.output.committer.class", "com.example.Committer");
    hadoop.set("penstock.spark.commit.enabled", "false");

    apply();

    assertThat(spark.get(PROTOCOL)).isEqualTo("com.example.Protocol");
    assertThat(hadoop.get("mapred.output.committer.class")).isEqualTo("com.example.Committer");
    assertThat(hadoop.get("mapreduce.outputcommitter.factory.scheme.s3")).isNull();
    assertThat(hadoop.get("fs.s3.impl")).isEqualTo(FILE_SYSTEM);
  }

  @Test
  void anotherCheckpointManagerIsRefused() {
    spark.set(MANAGER, "com.example.Manager");

    assertThatThrownBy(this::apply)
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "spark.sql.streaming.checkpointFileManagerClass=com.example.Manager would write"
                + " checkpoints by rename, or without Penstock. Remove the setting; or, to keep it,"
                + " also set spark.hadoop.penstock.spark.checkpoint.enabled=false.");
  }

  @Test
  void theUsersCheckpointManagerIsKeptWhenOursIsSwitchedOff() {
    spark.set(MANAGER, "com.example.Manager");
    hadoop.set("penstock.spark.checkpoint.enabled", "false");

    apply();

    assertThat(spark.get(MANAGER)).isEqualTo("com.example.Manager");
  }

  @Test
  void aSettingWithoutSparkHadoopBeforeItIsRefused() {
    spark.set("spark.penstock.endpoint", "http://127.0.0.1:9000");

    assertThatThrownBy(this::apply)
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "spark.penstock.endpoint has no effect: Spark passes it on only under the name"
                + " spark.hadoop.penstock.endpoint");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          penstock.rate.max          | abc | must be a number, or none
          penstock.attempt.timeout   | abc | or 5m, or none
          penstock.attempt.timeout   | 100 | the value must be at least 1s, or none
          penstock.rate.cluster.max  | 0.2 | must be at least 1, or none
          """)
  void aLimitThatMakesNoSenseIsRefusedAtTheStart(String name, String value, String words) {
    hadoop.set(name, value);

    assertThatThrownBy(this::apply)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(name + "=")
        .hasMessageContaining(words);
  }

  @Test
  void anUnknownSettingIsRefusedWithTheOneThatWasMeant() {
    hadoop.set("penstock.spark.comit.enabled", "false");

    assertThatThrownBy(this::apply)
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "penstock.spark.comit.enabled is not a setting of Penstock. Did you mean"
                + " penstock.spark.commit.enabled? All settings are in docs/configuration.md.");
  }

  @Test
  void aWrongValueIsRefusedByName() {
    hadoop.set("penstock.spark.commit.enabled", "perhaps");

    assertThatThrownBy(this::apply)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("penstock.spark.commit.enabled")
        .hasMessageContaining("perhaps");
  }

  @ParameterizedTest
  @CsvSource({
    "penstock.upload.part.size, banana",
    "penstock.hedge.enabled, yes",
    "penstock.credentials, statik",
    "penstock.endpoint, http://127.0.0.1:3900O",
    "penstock.bucket.my.lake.upload.part.size, 1",
    "fs.s3a.multipart.size, banana"
  })
  void aWrongValueOfAnyModuleIsRefusedAtTheStart(String key, String value) {
    hadoop.set(key, value);

    assertThatThrownBy(this::apply)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(key)
        .hasMessageContaining(value);
  }

  @Test
  void settingsThatAreWholeOnlyForOneBucketAreNoReasonToRefuse() {
    hadoop.set("penstock.encryption", "sse-c");
    assertThatThrownBy(this::apply)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("penstock.encryption.key");

    hadoop.set("penstock.bucket.vault.encryption.key", "A".repeat(43) + "=");
    apply();
    assertThat(hadoop.get("fs.s3.impl")).isEqualTo(FILE_SYSTEM);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spark.sql.parquet.output.committer.class",
        "spark.sql.sources.outputCommitterClass"
      })
  void aCommitterThatIsNotThereIsRefused(String key) {
    spark.set(key, "com.example.ParquetCommitter");

    assertThatThrownBy(this::apply)
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            key
                + "=com.example.ParquetCommitter names a class that is not on the class path."
                + " Remove the setting: Penstock commits the job without it.");

    spark.set(key, "org.apache.parquet.hadoop.ParquetOutputCommitter");
    apply();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.apache.spark.internal.io.cloud.BindingParquetOutputCommitter",
        "com.amazon.emr.committer.EmrOptimizedSparkSqlParquetOutputCommitter"
      })
  void aCommitterOfS3aOrEmrfsIsTakenAway(String committer) {
    String key = "spark.sql.parquet.output.committer.class";
    spark.set(key, committer);
    System.setProperty(key, committer); // as spark-submit does
    try {
      apply();
    } finally {
      System.clearProperty(key);
    }

    assertThat(spark.contains(key)).isFalse();
  }

  /** The builder of a session sets its options again in the session, and PySpark would hang. */
  @Test
  void aCommitterOfS3aThatABuilderNamesIsRefused() {
    spark.set(
        "spark.sql.parquet.output.committer.class",
        "org.apache.spark.internal.io.cloud.BindingParquetOutputCommitter");

    assertThatThrownBy(this::apply)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("names a class that is not on the class path. Remove the setting");
  }

  @Test
  void deltasListingByS3asClassIsTakenAway() {
    spark.set("spark.hadoop.delta.enableFastS3AListFrom", "true");
    hadoop.set("delta.enableFastS3AListFrom", "true");

    apply();

    assertThat(hadoop.get("delta.enableFastS3AListFrom")).isNull();
    assertThat(spark.contains("spark.hadoop.delta.enableFastS3AListFrom")).isFalse();
  }

  @Test
  void withoutOurCommittersAFactoryThatIsNotThereGivesWayToHadoops() {
    hadoop.set("penstock.spark.commit.enabled", "false");
    String key = "mapreduce.outputcommitter.factory.scheme.s3a";
    hadoop.set(key, "org.apache.hadoop.fs.s3a.commit.S3ACommitterFactory");

    apply();

    assertThat(hadoop.get(key))
        .isEqualTo("org.apache.hadoop.mapreduce.lib.output.FileOutputCommitterFactory");
  }

  @Test
  void anotherProtocolOfTheStreamingSinkIsRefused() {
    String key = "spark.sql.streaming.commitProtocolClass";
    spark.set(key, "org.apache.spark.sql.execution.datasources.SQLHadoopMapReduceCommitProtocol");

    assertThatThrownBy(this::apply)
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(key)
        .hasMessageContaining("Remove the setting");

    spark.set(key, "org.apache.spark.sql.execution.streaming.ManifestFileCommitProtocol");
    apply();
  }

  @Test
  void nothingIsSetWhenSomethingIsRefused() {
    hadoop.set("penstock.nonsense", "1");

    assertThatThrownBy(this::apply).isInstanceOf(ConfigException.class);

    assertThat(hadoop.get("fs.s3.impl")).isNull();
    assertThat(spark.contains(PROTOCOL)).isFalse();
  }

  @Test
  void aThriftServerWhoseSessionsWouldNotSeeTheJarIsRefused() {
    String server =
        "org.apache.spark.deploy.SparkSubmit --class"
            + " org.apache.spark.sql.hive.thriftserver.HiveThriftServer2 spark-internal";
    ClassLoader withoutJar = ClassLoader.getPlatformClassLoader();

    assertThatThrownBy(() -> wiring().refuseUnseenJar(server, withoutJar))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("penstock install SPARK_HOME");

    wiring().refuseUnseenJar(server, ClassLoader.getSystemClassLoader());
    wiring()
        .refuseUnseenJar(
            "org.apache.spark.deploy.SparkSubmit --conf spark.app.name=HiveThriftServer2 job.py",
            withoutJar);
    new Wiring(spark, hadoop, "3.5.9", PenstockCommitProtocol.class)
        .refuseUnseenJar(server, withoutJar);
  }

  @Test
  void anOldSparkIsRefused() {
    assertThatThrownBy(() -> SparkVersions.require("3.2.1"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "Penstock needs Spark 3.5 or later, but this is Spark 3.2.1. Remove"
                + " io.penstock.spark.PenstockPlugin from spark.plugins, or upgrade Spark.");
    assertThatThrownBy(() -> SparkVersions.require("2.4.8")).isInstanceOf(ConfigException.class);
  }

  @Test
  void newSparksAreAccepted() {
    SparkVersions.require("3.5.0");
    SparkVersions.require("4.3.0-SNAPSHOT");
    SparkVersions.require("10.0");
    SparkVersions.require("vendor build");
  }

  private Wiring wiring() {
    return new Wiring(spark, hadoop, "4.1.3", PenstockCommitProtocol.class);
  }

  private void apply() {
    wiring().apply();
  }
}
