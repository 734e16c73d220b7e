/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.config.spark;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.MeantName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Judges the settings of a Spark application that choose committers and checkpoint managers, or
 * that need another file system. The plugin acts on the answer when it starts, and the doctor shows
 * it before.
 */
public final class SparkJudge {
  /** The commit protocol of SQL writes. */
  public static final String SQL_PROTOCOL = "spark.sql.sources.commitProtocolClass";

  /** The commit protocol of the streaming file sink. */
  private static final String STREAMING_PROTOCOL = "spark.sql.streaming.commitProtocolClass";

  public static final String CHECKPOINT_MANAGER = "spark.sql.streaming.checkpointFileManagerClass";

  /** The committer of RDDs written with the older API. */
  public static final String MAPRED_COMMITTER = "mapred.output.committer.class";

  /** Hadoop reads this key before the keys of the schemes. */
  private static final String FACTORY_OF_ALL = "mapreduce.outputcommitter.factory.class";

  /** Penstock does not use the classes that these name, but Spark loads them. */
  public static final List<String> UNUSED_COMMITTERS =
      List.of("spark.sql.parquet.output.committer.class", "spark.sql.sources.outputCommitterClass");

  /** Delta then lists a table's log with S3A's own class, and fails without it. */
  private static final String DELTA_LISTING = "delta.enableFastS3AListFrom";

  /** The committers of S3A and EMRFS: a job that moves to Penstock still names them. */
  private static final List<String> COMMITTERS_OF_OTHERS =
      List.of(
          "org.apache.spark.internal.io.cloud.",
          "org.apache.hadoop.fs.s3a.commit.",
          "com.amazon.emr.");

  /** Spark 4.1 sets this value itself if spark-hadoop-cloud is on the class path. */
  private static final String PROTOCOL_OF_S3A =
      "org.apache.spark.internal.io.cloud.PathOutputCommitProtocol";

  private static final String SPARKS_STREAMING_PROTOCOL =
      "org.apache.spark.sql.execution.streaming.ManifestFileCommitProtocol";

  private static final String OUR_PROTOCOL = "io.penstock.spark.PenstockCommitProtocol";
  private static final String OUR_MAPRED = "io.penstock.hadoop.commit.PenstockMapredCommitter";
  private static final String OUR_FACTORY = "io.penstock.hadoop.commit.PenstockCommitterFactory";

  /** One is for Spark 4.1 and later, one for older Sparks; the plugin sets the one that fits. */
  private static final Set<String> OUR_MANAGERS =
      Set.of(
          "io.penstock.spark.checkpoint.PenstockCheckpointFileManager",
          "io.penstock.spark35.PenstockCheckpointFileManager");

  /** The file systems of S3 that Penstock replaces: those of Hadoop and of vendors. */
  private static final Pattern FILE_SYSTEMS_OF_S3 =
      Pattern.compile(
          "(?:io\\.penstock|org\\.apache\\.hadoop|com\\.amazon|com\\.amazonaws|com\\.databricks"
              + "|shaded\\.databricks|com\\.qubole|com\\.facebook|io\\.trino|io\\.prestosql|alluxio)\\..*");

  /** Matches settings of S3A and EMRFS that Spark does not pass on under this name. */
  private static final Pattern LOST_OF_OTHERS = Pattern.compile("spark\\.(fs\\.s3a?\\..*)");

  private static final String OF_HADOOP = "spark.hadoop.";

  private static final String RENAMES = "would commit by rename, or without Penstock";

  private final Function<String, Optional<String>> settings;
  private final Predicate<String> isThere;

  /**
   * @param settings returns what is set under a name of Spark, or of Hadoop without Spark's prefix
   * @param isThere returns whether the job would find a class of this name
   */
  public SparkJudge(Function<String, Optional<String>> settings, Predicate<String> isThere) {
    this.settings = settings;
    this.isThere = isThere;
  }

  /**
   * A setting that cannot stay as it is.
   *
   * @param isRefused whether the plugin refuses to start; otherwise it takes the setting away
   * @param problem continues the sentence "NAME=VALUE …"
   * @param remedy what the user does, or may do
   */
  public record Finding(
      String name, String value, boolean isRefused, String problem, String remedy) {
    public String message() {
      return "%s=%s %s. %s.".formatted(name, value, problem, remedy);
    }
  }

  /** Returns what is wrong with the settings that choose committers. */
  public List<Finding> committers() {
    List<Finding> findings = new ArrayList<>();
    refuseOthers(
        SQL_PROTOCOL, Set.of(OUR_PROTOCOL, PROTOCOL_OF_S3A), RENAMES, SparkKeys.COMMIT, findings);
    refuseOthers(
        STREAMING_PROTOCOL,
        Set.of(SPARKS_STREAMING_PROTOCOL),
        "makes readers of a streaming sink's output see files twice or not at all",
        SparkKeys.COMMIT,
        findings);
    UNUSED_COMMITTERS.forEach(name -> unused(name, findings));
    refuseOthers(MAPRED_COMMITTER, Set.of(OUR_MAPRED), RENAMES, SparkKeys.COMMIT, findings);
    refuseOthers(
        FACTORY_OF_ALL,
        Set.of(OUR_FACTORY),
        "would commit RDDs by rename, or without Penstock",
        SparkKeys.COMMIT,
        findings);
    return findings;
  }

  /** Returns what is wrong with the setting that chooses the checkpoint manager. */
  public List<Finding> checkpoints() {
    List<Finding> findings = new ArrayList<>();
    refuseOthers(
        CHECKPOINT_MANAGER,
        OUR_MANAGERS,
        "would write checkpoints by rename, or without Penstock",
        SparkKeys.CHECKPOINT,
        findings);
    return findings;
  }

  /** Returns what is wrong with the settings of table formats. */
  public List<Finding> tableFormats() {
    return settings
        .apply(DELTA_LISTING)
        .filter("true"::equalsIgnoreCase)
        .map(
            value ->
                new Finding(
                    DELTA_LISTING,
                    value,
                    false,
                    "needs S3A's file system, so Delta would fail at the first table",
                    "Remove the setting"))
        .stream()
        .toList();
  }

  /**
   * Returns what is wrong with the settings that name file systems. A class that is not one of S3's
   * usual ones may guard what jobs may read, and must not be replaced in silence.
   */
  public List<Finding> fileSystems() {
    List<Finding> findings = new ArrayList<>();
    for (String scheme : List.of("s3", "s3a")) {
      String name = "fs." + scheme + ".impl";
      settings
          .apply(name)
          .map(String::strip)
          .filter(value -> !value.isEmpty() && !FILE_SYSTEMS_OF_S3.matcher(value).matches())
          .ifPresent(
              value ->
                  findings.add(
                      new Finding(
                          name,
                          value,
                          true,
                          "names another file system, and Penstock's would take its place",
                          "Remove the setting, or set it to io.penstock.hadoop.PenstockFileSystem."
                              + " A class that wraps Penstock's file system can be set for single"
                              + " reads and writes, as Unity Catalog does")));
    }
    return findings;
  }

  /**
   * Returns a sentence on each name that looks like a setting for S3 and has no effect.
   *
   * @param names of Spark's configuration
   * @param known the full names of all settings that Penstock reads
   */
  public static List<String> withoutEffect(Collection<String> names, List<String> known) {
    List<String> sentences = new ArrayList<>();
    for (String name : names) {
      Matcher lost = LOST_OF_OTHERS.matcher(name);
      if (lost.matches()) {
        sentences.add(
            "%s has no effect: Spark passes it on only under the name %s%s"
                .formatted(name, OF_HADOOP, lost.group(1)));
      } else if (name.startsWith(OF_HADOOP) && !name.startsWith(OF_HADOOP + "fs.")) {
        MeantName.of(name.substring(OF_HADOOP.length()), known)
            .ifPresent(
                meant ->
                    sentences.add(
                        "%s has no effect: did you mean %s%s?".formatted(name, OF_HADOOP, meant)));
      }
    }
    return sentences;
  }

  /**
   * Fails if one of the names is a setting of Penstock without the prefix that makes Spark pass it
   * on. Otherwise it would have no effect, and the user would not notice.
   */
  public static void refuseLost(Collection<String> names) {
    for (String name : names) {
      if (name.startsWith("spark." + ConfigKey.PREFIX) || name.startsWith(ConfigKey.PREFIX)) {
        throw new ConfigException(
            "%s has no effect: Spark passes it on only under the name spark.hadoop.%s"
                .formatted(name, name.substring(name.indexOf(ConfigKey.PREFIX))));
      }
    }
  }

  /**
   * Returns all of it.
   *
   * @param commits whether the plugin sets its committers
   * @param checkpoints whether the plugin sets its checkpoint manager
   */
  public List<Finding> findings(boolean commits, boolean checkpoints) {
    List<Finding> findings = new ArrayList<>(fileSystems());
    findings.addAll(tableFormats());
    findings.addAll(commits ? committers() : List.of());
    findings.addAll(checkpoints ? checkpoints() : List.of());
    return findings;
  }

  /**
   * Adds a finding if another class is named.
   *
   * @param allowed the classes that may be named
   * @param switchOff the setting that makes the plugin keep the user's class, if it is false
   */
  private void refuseOthers(
      String name,
      Set<String> allowed,
      String problem,
      ConfigKey<Boolean> switchOff,
      List<Finding> findings) {
    settings
        .apply(name)
        .filter(value -> !value.isEmpty() && !allowed.contains(value))
        .ifPresent(
            value ->
                findings.add(
                    new Finding(
                        name,
                        value,
                        true,
                        problem,
                        "Remove the setting; or, to keep it, also set spark.hadoop.%s=false"
                            .formatted(switchOff.fullName()))));
  }

  /** Adds a finding if Spark would load a class that does nothing, or that is not there. */
  private void unused(String name, List<Finding> findings) {
    settings
        .apply(name)
        .filter(value -> !value.isEmpty())
        .ifPresent(
            value -> {
              if (COMMITTERS_OF_OTHERS.stream().anyMatch(value::startsWith)) {
                findings.add(
                    new Finding(
                        name,
                        value,
                        false,
                        "has no effect: Penstock commits the job without it",
                        "Remove the setting"));
              } else if (!isThere.test(value)) {
                findings.add(
                    new Finding(
                        name,
                        value,
                        true,
                        "names a class that is not on the class path",
                        "Remove the setting: Penstock commits the job without it"));
              }
            });
  }
}
