/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import io.penstock.core.stack.StoreStack;
import io.penstock.hadoop.HadoopSettings;
import io.penstock.hadoop.PenstockFileSystem;
import io.penstock.hadoop.PenstockFs;
import io.penstock.hadoop.commit.PenstockCommitterFactory;
import io.penstock.hadoop.commit.PenstockMapredCommitter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitterFactory;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the settings that Penstock needs in a Spark application. It runs when the Hadoop
 * configuration exists and before any session or executor starts, so that all of them see the
 * settings.
 */
final class Wiring {
  private static final Logger LOG = LoggerFactory.getLogger(PenstockPlugin.class);

  private static final String SQL_PROTOCOL = "spark.sql.sources.commitProtocolClass";
  private static final String STREAMING_PROTOCOL = "spark.sql.streaming.commitProtocolClass";
  private static final String SPARKS_STREAMING_PROTOCOL =
      "org.apache.spark.sql.execution.streaming.ManifestFileCommitProtocol";

  /** Penstock does not use the classes that these name, but Spark loads them. */
  private static final List<String> UNUSED_COMMITTERS =
      List.of("spark.sql.parquet.output.committer.class", "spark.sql.sources.outputCommitterClass");

  private static final String CHECKPOINT_MANAGER = "spark.sql.streaming.checkpointFileManagerClass";
  private static final String FLAT_LISTING = "spark.sql.sources.useListFilesFileSystemList";
  private static final String MAPRED_COMMITTER = "mapred.output.committer.class";
  private static final String FACTORY = "mapreduce.outputcommitter.factory.scheme.";

  /** Hadoop reads this key before the keys of the schemes. */
  private static final String FACTORY_OF_ALL = "mapreduce.outputcommitter.factory.class";

  private static final String REDACTION = "spark.redaction.regex";
  private static final String DEFAULT_REDACTION = "(?i)secret|password|token|access[.]?key";
  private static final String ENCRYPTION_KEY = "encryption[.]key";
  private static final List<String> SCHEMES = List.of("s3", "s3a");

  /** Spark 4.1 sets this value itself if spark-hadoop-cloud is on the class path. */
  private static final String SET_BY_SPARK =
      "org.apache.spark.internal.io.cloud.PathOutputCommitProtocol";

  private final SparkConf conf;
  private final Configuration hadoop;
  private final String sparkVersion;

  Wiring(SparkContext spark) {
    this(spark.conf(), spark.hadoopConfiguration(), spark.version());
  }

  Wiring(SparkConf conf, Configuration hadoop, String sparkVersion) {
    this.conf = conf;
    this.hadoop = hadoop;
    this.sparkVersion = sparkVersion;
  }

  /** Makes the settings. Returns the user's settings for S3. */
  Settings apply() {
    SparkVersions.require(sparkVersion);
    ClassLoader loader = Wiring.class.getClassLoader();
    Settings settings = HadoopSettings.of(hadoop);
    refuseUnknownInSpark();
    refuseBad(settings, loader);
    boolean commits = settings.get(SparkKeys.COMMIT);
    registerFileSystem();
    hideSecrets();
    if (commits) {
      setCommitters();
    } else {
      replaceMissingFactories();
    }
    boolean checkpoints = settings.get(SparkKeys.CHECKPOINT);
    if (checkpoints) {
      setCheckpointManager();
    }
    addFlatListing();
    LOG.info(
        "Penstock {} serves s3:// and s3a:// on Spark {}: {}, {}, flat listing",
        version(),
        sparkVersion,
        commits ? "commits without a rename" : "committers as configured",
        checkpoints ? "checkpoints by conditional writes" : "checkpoints as configured");
    return settings;
  }

  /** Refuses a bad setting now; otherwise the job would fail only when it first uses a bucket. */
  private static void refuseBad(Settings settings, ClassLoader loader) {
    List<ConfigKey<?>> keys = StoreStack.keys(loader);
    settings.refuseUnknown(keys);
    settings.refuseBadValues(keys);
    try {
      StoreStack.refuseContradictions(settings);
      // The bucket's name does not matter: nothing is sent.
      StoreStack.reach("bucket", settings, loader);
    } catch (IllegalArgumentException e) {
      if (settings.hasBuckets()) {
        LOG.warn(
            "The settings that apply to all buckets are not valid. A bucket can be used only if"
                + " settings for that bucket correct them: {}",
            e.getMessage());
        return;
      }
      throw e instanceof ConfigException bad ? bad : new ConfigException(e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Adds our schemes to the user's value of {@link #FLAT_LISTING}. For the schemes in this setting,
   * Spark lists a directory by one recursive call of {@code listFiles}.
   */
  private void addFlatListing() {
    Set<String> schemes = new LinkedHashSet<>(List.of(conf.get(FLAT_LISTING, "").split(",", -1)));
    schemes.remove("");
    schemes.addAll(SCHEMES);
    conf.set(FLAT_LISTING, String.join(",", schemes));
  }

  private void registerFileSystem() {
    for (String scheme : SCHEMES) {
      setHadoop("fs." + scheme + ".impl", PenstockFileSystem.bestClassName());
      setHadoop("fs.AbstractFileSystem." + scheme + ".impl", PenstockFs.class.getName());
    }
  }

  private void setCommitters() {
    String protocol = conf.get(SQL_PROTOCOL, "");
    refuseOther(
        SQL_PROTOCOL,
        protocol.equals(SET_BY_SPARK) ? "" : protocol,
        protocolName(),
        "would commit by rename, or without Penstock",
        SparkKeys.COMMIT);
    conf.set(SQL_PROTOCOL, protocolName());
    refuseOther(
        STREAMING_PROTOCOL,
        conf.get(STREAMING_PROTOCOL, ""),
        SPARKS_STREAMING_PROTOCOL,
        "makes readers of a streaming sink's output see files twice or not at all",
        SparkKeys.COMMIT);
    UNUSED_COMMITTERS.forEach(this::refuseMissing);
    String mapred = PenstockMapredCommitter.class.getName();
    refuseOther(
        MAPRED_COMMITTER,
        hadoop.get(MAPRED_COMMITTER, ""),
        mapred,
        "would commit by rename, or without Penstock",
        SparkKeys.COMMIT);
    setHadoop(MAPRED_COMMITTER, mapred);
    refuseOther(
        FACTORY_OF_ALL,
        hadoop.get(FACTORY_OF_ALL, ""),
        PenstockCommitterFactory.class.getName(),
        "would commit RDDs by rename, or without Penstock",
        SparkKeys.COMMIT);
    for (String scheme : SCHEMES) {
      setHadoop(FACTORY + scheme, PenstockCommitterFactory.class.getName());
    }
  }

  /**
   * Sets Hadoop's own committer where the committer factory is not on the class path. Hadoop's
   * defaults name S3A's factory for {@code s3a}, and a job would fail without hadoop-aws.
   */
  private void replaceMissingFactories() {
    for (String scheme : SCHEMES) {
      String factory = hadoop.get(FACTORY + scheme, "");
      if (!factory.isEmpty() && !isThere(factory)) {
        setHadoop(FACTORY + scheme, FileOutputCommitterFactory.class.getName());
      }
    }
  }

  private static boolean isThere(String name) {
    try {
      Class.forName(name, false, Thread.currentThread().getContextClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /**
   * Refuses a class that is not there. Spark would refuse it too, but PySpark hangs when Spark does
   * so.
   */
  private void refuseMissing(String key) {
    String name = conf.get(key, "");
    if (!name.isEmpty() && !isThere(name)) {
      throw new ConfigException(
          "%s=%s: there is no such class on the class path. Remove the setting: Penstock commits the job without it"
              .formatted(key, name));
    }
  }

  /**
   * Sets the key in the configurations of Hadoop and of Spark. Code on executors that makes its own
   * Hadoop configuration starts from Spark's.
   */
  private void setHadoop(String name, String value) {
    hadoop.set(name, value);
    conf.set("spark.hadoop." + name, value);
  }

  /**
   * Makes Spark hide the encryption key. Spark's UI and event log hide settings whose names look
   * secret, and this name does not.
   */
  private void hideSecrets() {
    String hidden = conf.get(REDACTION, DEFAULT_REDACTION);
    if (!hidden.contains(ENCRYPTION_KEY)) {
      conf.set(REDACTION, hidden + "|" + ENCRYPTION_KEY);
    }
  }

  private static String protocolName() {
    return PenstockCommitProtocol.class.getName();
  }

  private void setCheckpointManager() {
    String manager = SparkVersions.checkpointManager();
    refuseOther(
        CHECKPOINT_MANAGER,
        conf.get(CHECKPOINT_MANAGER, ""),
        manager,
        "would write checkpoints by rename, or without Penstock",
        SparkKeys.CHECKPOINT);
    conf.set(CHECKPOINT_MANAGER, manager);
  }

  private static void refuseOther(
      String key, String set, String ours, String problem, ConfigKey<Boolean> keeps) {
    if (!set.isEmpty() && !set.equals(ours)) {
      throw new ConfigException(
          "%s=%s %s. Remove the setting; or, to keep it, also set spark.hadoop.%s=false."
              .formatted(key, set, problem, keeps.fullName()));
    }
  }

  /**
   * Refuses keys without {@code spark.hadoop.}. Otherwise the key would have no effect, and the
   * user would not notice.
   */
  private void refuseUnknownInSpark() {
    for (scala.Tuple2<String, String> entry : conf.getAll()) {
      String name = entry._1();
      if (name.startsWith("spark.penstock.") || name.startsWith("penstock.")) {
        String key = name.substring(name.indexOf("penstock."));
        throw new ConfigException(
            "%s has no effect: Spark passes it on only under the name spark.hadoop.%s"
                .formatted(name, key));
      }
    }
  }

  private static String version() {
    String version = Wiring.class.getPackage().getImplementationVersion();
    return version == null ? "(development)" : version;
  }
}
