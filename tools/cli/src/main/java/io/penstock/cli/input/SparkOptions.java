/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.input;

import io.penstock.analyze.engine.EngineChoice;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that select the engine for the analysis of logs. */
public final class SparkOptions {
  private enum Engine {
    DUCKDB,
    SPARK
  }

  @Option(
      names = "--engine",
      defaultValue = "duckdb",
      description =
          "Where the queries run: duckdb (on this machine) or spark (on a cluster, for more logs)."
              + " The results are the same. Default: ${DEFAULT-VALUE}.")
  private Engine engine;

  @Option(
      names = "--spark-home",
      paramLabel = "DIR",
      description =
          "Directory of the Spark installation that runs the queries. Default: $SPARK_HOME, or"
              + " spark-submit on the PATH.")
  private String sparkHome;

  @Option(
      names = "--master",
      paramLabel = "URL",
      description =
          "Spark master that runs the queries, such as local[8], spark://…, yarn, k8s://…")
  private String master;

  @Option(
      names = "--spark-conf",
      paramLabel = "KEY=VALUE",
      description =
          "A Spark setting for running the queries, such as spark.executor.instances=20; may be"
              + " repeated.")
  private List<String> sparkConf = List.of();

  @Option(
      names = "--work-dir",
      paramLabel = "DIR",
      description =
          "Directory for Spark's temporary data: s3://…, hdfs://… or a directory that all machines"
              + " of the cluster share. Needed unless Spark runs only on this machine.")
  private String workDirectory;

  public boolean isSpark() {
    return engine == Engine.SPARK;
  }

  /**
   * Returns the engine if it is not the embedded engine.
   *
   * @throws IllegalArgumentException when options of Spark are given without Spark as engine
   */
  public Optional<EngineChoice> choice(Map<String, String> storeSettings) {
    if (!isSpark()) {
      boolean isOfSpark =
          sparkHome != null || master != null || workDirectory != null || !sparkConf.isEmpty();
      if (isOfSpark) {
        throw new IllegalArgumentException(
            "--spark-home, --master, --spark-conf and --work-dir go with --engine spark");
      }
      return Optional.empty();
    }
    return Optional.of(
        new EngineChoice("spark", Optional.ofNullable(workDirectory), storeSettings));
  }

  public Optional<String> sparkHome() {
    return Optional.ofNullable(sparkHome);
  }

  public Optional<String> master() {
    return Optional.ofNullable(master);
  }

  /**
   * Returns the settings for Spark.
   *
   * @throws IllegalArgumentException when a setting is malformed; the message names it
   */
  public List<String> sparkConf() {
    for (String setting : sparkConf) {
      if (setting.indexOf('=') < 1) {
        throw new IllegalArgumentException("--spark-conf=" + setting + " is not KEY=VALUE");
      }
    }
    return sparkConf;
  }
}
