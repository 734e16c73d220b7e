/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

import io.penstock.tables.Table;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The settings of the application that gets the advice, and conclusions from these settings. */
public final class JobSettings {
  private static final String HADOOP_IN_SPARK = "spark.hadoop.";
  private static final String VERSION_IN_PATH = "hadoop-(?:client-api|common|aws)-";

  private final Map<String, String> spark = new LinkedHashMap<>();
  private final Map<String, String> hadoop = new LinkedHashMap<>();
  private final Map<String, String> system = new LinkedHashMap<>();
  private final Optional<Version> sparkVersion;
  private final AdviceOptions options;
  private final String agents;

  /**
   * Reads the settings from the rows of queries.
   *
   * @param app id, name and version of the application; empty if there is no event log
   * @param settings kind, name and value of each setting
   * @param agents the user agents in the logs, one in each row
   */
  public JobSettings(Table app, Table settings, Table agents, AdviceOptions options) {
    this.options = options;
    this.sparkVersion = app.isEmpty() ? Optional.empty() : Version.in(app.text(0, "spark_version"));
    for (int row = 0; row < settings.rows().size(); row++) {
      Map<String, String> kind =
          switch (settings.text(row, "kind")) {
            case "spark" -> spark;
            case "hadoop" -> hadoop;
            default -> system;
          };
      kind.put(settings.text(row, "name"), settings.text(row, "value"));
    }
    StringBuilder all = new StringBuilder();
    for (int row = 0; row < agents.rows().size(); row++) {
      all.append(agents.text(row, "user_agent")).append('\n');
    }
    this.agents = all.toString();
  }

  /** Returns true if the logs include an event log that contains settings. */
  public boolean areKnown() {
    return !spark.isEmpty() || !hadoop.isEmpty();
  }

  public Optional<String> spark(String name) {
    return Optional.ofNullable(spark.get(name));
  }

  /** Returns a property of Hadoop, even if it was set through Spark. */
  public Optional<String> hadoop(String name) {
    return spark(HADOOP_IN_SPARK + name).or(() -> Optional.ofNullable(hadoop.get(name)));
  }

  /**
   * Returns the text for the column of current values: the value, or the default value marked as
   * default, or a note that the value is not known.
   */
  public String now(Optional<String> value, String byDefault) {
    Supplier<String> other = () -> areKnown() ? byDefault + " (default)" : "not known";
    return value.orElseGet(other);
  }

  /**
   * Returns the change of a property.
   *
   * @param byDefault the value that applies where the property is not set
   */
  public Change change(Target target, String name, String byDefault, String next) {
    Optional<String> value = target == Target.SPARK ? spark(name) : hadoop(name);
    return new Change(target, name, now(value, byDefault), next);
  }

  public Optional<Version> sparkVersion() {
    return sparkVersion;
  }

  /**
   * Returns the version of Hadoop. The first of these sources that has one is used: the user's
   * option, the user agents, the names of the jars, the release of Spark.
   */
  public Optional<Version> hadoopVersion() {
    return options
        .hadoop()
        .or(() -> after(agents, "Hadoop "))
        .or(() -> ofJars(system.getOrDefault("java.class.path", "")))
        .or(() -> sparkVersion.flatMap(JobSettings::bundled));
  }

  private static Optional<Version> after(String text, String word) {
    int at = text.indexOf(word);
    return at < 0 || at + word.length() >= text.length()
        ? Optional.empty()
        : startsWith(text.substring(at + word.length()));
  }

  private static Optional<Version> startsWith(String text) {
    return Character.isDigit(text.charAt(0)) ? Version.in(text) : Optional.empty();
  }

  private static Optional<Version> ofJars(String path) {
    String[] parts = path.split(VERSION_IN_PATH, 2);
    return parts.length < 2 || parts[1].isEmpty() ? Optional.empty() : startsWith(parts[1]);
  }

  /**
   * Returns the version of Hadoop in the downloads of Apache Spark. Source: the pom of each
   * release.
   */
  private static Optional<Version> bundled(Version spark) {
    if (spark.isAtLeast(4, 1, 0)) {
      return Optional.of(new Version(3, 4, 2));
    } else if (spark.isAtLeast(4, 0, 0)) {
      return Optional.of(new Version(3, 4, 1));
    } else if (spark.isAtLeast(3, 4, 0)) {
      return Optional.of(new Version(3, 3, 4));
    }
    return spark.isAtLeast(3, 3, 0) ? Optional.of(new Version(3, 3, 2)) : Optional.empty();
  }

  /**
   * Returns the client that the user chose, or else the one that the settings or user agents show.
   * The default is S3A.
   */
  public Client client() {
    return options.client().orElseGet(this::clientSeen);
  }

  /**
   * Returns true if the job ran on Penstock, even if the user asks for advice on another client.
   */
  public boolean runsPenstock() {
    return clientSeen() == Client.PENSTOCK;
  }

  /** Returns the change that makes a job run on Penstock, which needs Spark 3.5. */
  public Change plugin() {
    if (!isAtLeast(3, 5)) {
      String now = sparkVersion.map(Version::toString).orElse("");
      return new Change(Target.OUTSIDE, "Spark", now, "3.5 or later, and Penstock's plugin");
    }
    return change(Target.SPARK, "spark.plugins", "none", "io.penstock.spark.PenstockPlugin");
  }

  private Client clientSeen() {
    String files = hadoop("fs.s3.impl").orElse("") + hadoop("fs.s3a.impl").orElse("");
    if (spark("spark.plugins").orElse("").contains("io.penstock")
        || files.contains("io.penstock")
        || agents.contains("penstock")) {
      return Client.PENSTOCK;
    }
    boolean isEmrfs = files.contains("EmrFileSystem") || agents.contains("ElasticMapReduce");
    return isEmrfs ? Client.EMRFS : Client.S3A;
  }

  /**
   * Returns true if requests or what the user has set show that S3A was used: Hadoop's defaults
   * name its settings in every job.
   */
  public boolean showsS3a() {
    boolean isSet =
        spark.entrySet().stream()
            .anyMatch(
                one ->
                    one.getKey().startsWith(HADOOP_IN_SPARK + "fs.s3a.")
                        || one.getValue().contains("s3a://"));
    return isSet || agents.contains("Hadoop") || agents.contains("S3A");
  }

  public boolean isOnDatabricks() {
    return isAnySet("spark.databricks.");
  }

  /** Returns true if executors are as many as nodes or GPUs, whatever memory they take. */
  public boolean isBoundByNode() {
    return isOnDatabricks() || isAnySet("spark.executor.resource.gpu.");
  }

  private boolean isAnySet(String prefix) {
    return spark.keySet().stream().anyMatch(name -> name.startsWith(prefix));
  }

  public boolean isOnKubernetes() {
    return spark("spark.master").orElse("").startsWith("k8s");
  }

  /** Returns true if the program is in Python: what its workers do is in no metric of Spark. */
  public boolean isPython() {
    String command = system.getOrDefault("sun.java.command", "");
    return isOn("spark.yarn.isPython")
        || spark("spark.kubernetes.resource.type").filter(what -> what.equals("python")).isPresent()
        || command.contains("pyspark-shell")
        || command.matches("(?s).*\\.py(\\s.*)?");
  }

  /**
   * Returns true if Parquet reads several ranges at once, which is the default since Parquet 1.16
   * in Spark 4.1.
   */
  public boolean readsVectored() {
    boolean byDefault = sparkVersion.map(v -> v.isAtLeast(4, 1, 0)).orElse(false);
    return hadoop("parquet.hadoop.vectored.io.enabled")
        .map(value -> value.equalsIgnoreCase("true"))
        .orElse(byDefault);
  }

  /**
   * Returns a size from a setting of Hadoop or Spark, or the default if it is not set, or not to a
   * size above 0.
   */
  public long size(Optional<String> value, long byDefault) {
    return size(value, 1, byDefault);
  }

  /**
   * Returns a size as {@link #size(Optional, long)} does.
   *
   * @param bare the bytes of one unit, for a number without a unit
   */
  public long size(Optional<String> value, long bare, long byDefault) {
    return value
        .flatMap(text -> Amounts.size(text, bare))
        .filter(size -> size > 0)
        .orElse(byDefault);
  }

  /** Returns the heap of an executor. Spark takes a number without a unit as MiB. */
  public long executorHeap() {
    return size(spark("spark.executor.memory"), Amounts.MIB, Amounts.GIB);
  }

  /** Returns true if a property of Spark is set to true. */
  public boolean isOn(String name) {
    return spark(name).map(value -> value.strip().equalsIgnoreCase("true")).orElse(false);
  }

  /** Returns true if a property of Spark is set to false. */
  public boolean isOff(String name) {
    return spark(name).map(value -> value.strip().equalsIgnoreCase("false")).orElse(false);
  }

  /** Returns true if Spark plans adaptively, which is the default since 3.2. */
  public boolean isAdaptive() {
    String name = "spark.sql.adaptive.enabled";
    return isAtLeast(3, 2) ? !isOff(name) : isOn(name);
  }

  /** Returns true if Spark's version is not known to be older. */
  public boolean isAtLeast(int major, int minor) {
    return sparkVersion.map(version -> version.isAtLeast(major, minor, 0)).orElse(true);
  }

  /** Returns a property of Spark that is a whole number above 0; empty if it is none. */
  public Optional<Long> number(String name) {
    return spark(name)
        .map(String::strip)
        .filter(text -> text.matches("[1-9]\\d{0,8}"))
        .map(Long::parseLong);
  }

  /** Returns how many cores a task takes: 1, if nothing else is set. */
  public long coresOfTask() {
    return number("spark.task.cpus").orElse(1L);
  }
}
