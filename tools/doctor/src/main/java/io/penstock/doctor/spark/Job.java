/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.spark.SparkJudge;
import io.penstock.core.config.spark.SparkKeys;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The environment of a job: the given settings and the installed Spark. */
public record Job(Given given, Optional<SparkHome> home) {
  private static final String PLUGIN = "io.penstock.spark.PenstockPlugin";
  private static final String FILE_SYSTEM = "io.penstock.hadoop.";

  /** The settings that the option {@code --endpoint} sets. */
  private static final List<String> REACH = List.of("penstock.endpoint", "penstock.path.style");

  /** The releases that are assumed when no Spark is found: those of a new cluster. */
  private static final Release USUAL_SPARK = new Release(4, 1, 0);

  private static final Release USUAL_HADOOP = new Release(3, 4, 2);
  private static final Release USUAL_PARQUET = new Release(1, 16, 0);

  /** Returns true if more is known than how to connect to a bucket. */
  public boolean isKnown() {
    return home.isPresent() || hasSettings();
  }

  public boolean hasSettings() {
    return !given.lost().isEmpty() || !REACH.containsAll(given.values().keySet());
  }

  /** Returns true if the plugin serves the schemes of S3. */
  boolean hasPlugin() {
    return namesPlugin() && switchedOff().isEmpty();
  }

  private boolean namesPlugin() {
    return given.get("spark.plugins").filter(names -> names.contains(PLUGIN)).isPresent();
  }

  /** Returns the class among the plugins that is meant to be Penstock's, and is not. */
  Optional<String> misnamedPlugin() {
    return Stream.of(given.get("spark.plugins").orElse("").split(","))
        .map(String::strip)
        .filter(name -> name.toLowerCase(Locale.ROOT).contains("penstock") && !name.equals(PLUGIN))
        .findFirst();
  }

  /** Returns the setting by which the plugin, which is named, leaves file systems as they are. */
  Optional<String> switchedOff() {
    return Stream.of(SparkKeys.ENABLED, SparkKeys.FILESYSTEM)
        .filter(key -> namesPlugin() && isOff(key))
        .map(ConfigKey::fullName)
        .findFirst();
  }

  /** Returns the plugin's judgement of the settings; the class path of the job is not known. */
  SparkJudge judge() {
    return new SparkJudge(given::get, name -> true);
  }

  /** Returns what the plugin refuses or takes away at its start. */
  public List<SparkJudge.Finding> findings() {
    return judge().findings(!keepsCommitters(), !keepsCheckpoints()).stream()
        .filter(finding -> switchedOff().isEmpty() || !finding.name().startsWith("fs."))
        .toList();
  }

  /** Returns the same job with Penstock's plugin. */
  public Job withPlugin() {
    return namesPlugin()
        ? this
        : new Job(given.and(Given.ofHadoop(Map.of("spark.plugins", PLUGIN))), home);
  }

  /** Returns true if the plugin leaves the committers as they are configured. */
  boolean keepsCommitters() {
    return isOff(SparkKeys.COMMIT);
  }

  /** Returns true if the plugin leaves the checkpoint manager as it is configured. */
  boolean keepsCheckpoints() {
    return isOff(SparkKeys.CHECKPOINT);
  }

  private boolean isOff(ConfigKey<Boolean> key) {
    return given.get(key.fullName()).filter("false"::equalsIgnoreCase).isPresent();
  }

  /** Returns true if Penstock serves s3a. Then S3A's settings have no effect or a different one. */
  public boolean usesPenstock() {
    return hasPlugin()
        || given.get("fs.s3a.impl").filter(name -> name.startsWith(FILE_SYSTEM)).isPresent();
  }

  Release spark() {
    return home.flatMap(SparkHome::spark).orElse(USUAL_SPARK);
  }

  Release hadoop() {
    return home.flatMap(SparkHome::hadoopAws)
        .or(() -> home.flatMap(SparkHome::hadoop))
        .orElse(USUAL_HADOOP);
  }

  Release parquet() {
    return home.flatMap(SparkHome::parquet).orElse(USUAL_PARQUET);
  }

  /**
   * Returns the effective value: the value that is set, or the default of the release. Returns an
   * empty text when there is neither.
   */
  String effective(String name) {
    return given.get(name).or(() -> EffectiveKeys.find(name).map(this::defaultOf)).orElse("");
  }

  String defaultOf(EffectiveKeys.Key key) {
    List<String> defaults = key.defaults();
    return switch (key.family()) {
      case HADOOP -> defaults.get(S3aNames.column(hadoop()));
      case PARQUET -> defaults.get(parquet().isBefore(1, 16, 0) ? 0 : 1);
      case SPARK -> defaults.get(spark().isBefore(4, 0, 0) ? 0 : 1);
    };
  }

  /** Returns true if one of the jars that Spark is configured to load is Penstock's. */
  boolean isJarGiven() {
    return Stream.of("spark.jars", "spark.jars.packages", "spark.driver.extraClassPath")
        .anyMatch(name -> given.get(name).filter(jars -> jars.contains("penstock")).isPresent());
  }
}
