/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.demo;

import io.penstock.cli.start.Jars;
import io.penstock.doctor.machine.ThisMachine;
import io.penstock.doctor.spark.SparkHome;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs a local Spark in its own JVM, with penstock-spark.jar on its class path as a user would add
 * it. The Spark is an installed one, or the jars that the build of a clone uses.
 */
final class SparkProcess {
  /** The packages that Spark's own launcher opens on Java 17 and later. */
  private static final List<String> OPENS =
      List.of(
          "java.base/java.lang",
          "java.base/java.lang.invoke",
          "java.base/java.lang.reflect",
          "java.base/java.io",
          "java.base/java.net",
          "java.base/java.nio",
          "java.base/java.util",
          "java.base/java.util.concurrent",
          "java.base/java.util.concurrent.atomic",
          "java.base/jdk.internal.ref",
          "java.base/sun.nio.ch",
          "java.base/sun.nio.cs",
          "java.base/sun.security.action",
          "java.base/sun.util.calendar");

  /** Receives the lines that the job writes. The returned text is sent back to the job. */
  interface Listener {
    Optional<String> said(List<String> words);
  }

  private final Path jar;
  private final String classPath;
  private final Path log;
  private final boolean isLogTemporary;

  private SparkProcess(Path jar, String classPath, Path log, boolean isLogTemporary) {
    this.jar = jar;
    this.classPath = classPath;
    this.log = log;
    this.isLogTemporary = isLogTemporary;
  }

  /**
   * Finds the Spark and the jar.
   *
   * @param home the directory of a Spark; without it, a clone's Spark is used, or SPARK_HOME
   * @throws IllegalArgumentException when there is no Spark; the message says what to do
   */
  static SparkProcess find(Optional<String> home) throws IOException {
    Path jar =
        Jars.spark()
            .orElseThrow(
                () -> new IOException("penstock-spark.jar is not beside penstock-cli.jar"));
    String clone = System.getProperty("penstock.home");
    if (home.isEmpty() && clone != null) {
      String classPath = Files.readString(Path.of(clone, "spark/target/spark.classpath")).strip();
      return new SparkProcess(jar, classPath, Path.of(clone, "dist/target/demo-spark.log"), false);
    }
    String directory =
        home.or(() -> Optional.ofNullable(System.getenv("SPARK_HOME")))
            .filter(named -> !named.isEmpty())
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "the demo needs a Spark, 3.5 to 4.3: name one by --spark-home, or get one:"
                            + " pip install pyspark"));
    SparkHome spark =
        SparkHome.at(directory, new ThisMachine())
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        directory
                            + " is not the directory of a Spark: it has no"
                            + " jars/spark-core_….jar"));
    if (spark.isOlderThan(3, 5)) {
      throw new IllegalArgumentException(directory + " is older than Spark 3.5");
    }
    return new SparkProcess(
        jar,
        Path.of(directory, "jars", "*").toString(),
        Files.createTempFile("penstock-demo-", ".log"),
        true);
  }

  Path log() {
    return log;
  }

  int run(String mainClass, List<String> conf, List<String> arguments, Listener listener)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command(mainClass, conf, arguments)).redirectError(log.toFile()).start();
    Thread killer = new Thread(process::destroy);
    Runtime.getRuntime().addShutdownHook(killer);
    try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
        Writer answers =
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8)) {
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        if (line.startsWith("@")) {
          Optional<String> answer = listener.said(List.of(line.substring(1).split("\t", -1)));
          if (answer.isPresent()) {
            answers.write(answer.get() + "\n");
            answers.flush();
          }
        }
      }
      return process.waitFor();
    } finally {
      process.destroy();
      Runtime.getRuntime().removeShutdownHook(killer);
    }
  }

  private List<String> command(String mainClass, List<String> conf, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx2g");
    for (String opened : OPENS) {
      command.add("--add-opens=" + opened + "=ALL-UNNAMED");
    }
    command.add("-Djdk.reflect.useDirectMethodHandle=false");
    command.add("-Dio.netty.tryReflectionSetAccessible=true");
    command.add("-Dspark.master=local[*]");
    command.add("-Dspark.plugins=io.penstock.spark.PenstockPlugin");
    command.add("-Dspark.ui.enabled=false");
    command.add("-Dspark.driver.host=127.0.0.1");
    command.add("-Dspark.driver.bindAddress=127.0.0.1");
    for (String setting : conf) {
      if (setting.indexOf('=') < 1) {
        throw new IllegalArgumentException("--conf " + setting + " is not KEY=VALUE");
      }
      if (!setting.startsWith("spark.")) {
        // Spark ignores any other setting, and the job would run without it.
        throw new IllegalArgumentException(
            "--conf %s: Spark reads only settings that begin with spark.; write spark.hadoop.%s"
                .formatted(setting, setting));
      }
      command.add("-D" + setting);
    }
    command.add("-cp");
    command.add(jar + java.io.File.pathSeparator + classPath);
    command.add(mainClass);
    command.addAll(arguments);
    return command;
  }

  /** Deletes the log, unless a clone keeps it. */
  void deleteLog() throws IOException {
    if (isLogTemporary) {
      Files.deleteIfExists(log);
    }
  }

  /** Returns the last exception in Spark's log, which is the most likely reason of a failure. */
  Optional<String> lastProblem() throws IOException {
    try (var lines = Files.lines(log, StandardCharsets.UTF_8)) {
      return lines
          .filter(line -> line.startsWith("Caused by: ") || line.startsWith("Exception in"))
          .reduce((first, second) -> second);
    }
  }
}
