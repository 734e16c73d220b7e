/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli;

import io.penstock.cli.input.SparkOptions;
import io.penstock.cli.start.Jars;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The spark-submit program of a Spark that is installed on this machine, and its arguments. */
final class SparkSubmit {
  private final Path program;
  private final Path jar;

  private SparkSubmit(Path program, Path jar) {
    this.program = program;
    this.jar = jar;
  }

  /**
   * Finds the program.
   *
   * @param environment of this process
   * @throws IllegalArgumentException when there is none; the message says what to do
   */
  static SparkSubmit find(SparkOptions options, Map<String, String> environment)
      throws IOException {
    Path program = program(options, environment);
    return new SparkSubmit(
        program,
        Jars.cli().orElseThrow(() -> new IOException("penstock-cli.jar is missing; build it")));
  }

  private static Path program(SparkOptions options, Map<String, String> environment) {
    if (options.sparkHome().isPresent()) {
      return below(options.sparkHome().get(), "--spark-home=");
    }
    String home = environment.getOrDefault("SPARK_HOME", "");
    if (!home.isEmpty()) {
      return below(home, "SPARK_HOME=");
    }
    for (String directory : environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      Path program = Path.of(directory, "spark-submit");
      if (!directory.isEmpty() && Files.isExecutable(program)) {
        return program;
      }
    }
    throw new IllegalArgumentException(
        "--engine spark needs a Spark, 3.5 to 4.3: SPARK_HOME is not set and no spark-submit is on"
            + " the PATH. Name one by --spark-home, or get one: pip install pyspark");
  }

  private static Path below(String home, String named) {
    Path program = Path.of(home, "bin", "spark-submit");
    if (!Files.isExecutable(program)) {
      throw new IllegalArgumentException(
          named + home + " is not a Spark: it has no bin/spark-submit");
    }
    return program;
  }

  /**
   * Returns the command line. The arguments of the penstock command are passed in a file, because
   * Spark shows its own arguments to everybody who can open its web pages.
   */
  List<String> command(SparkOptions options, Path arguments) {
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.add("--class");
    command.add("io.penstock.cli.SparkMain");
    // In client mode the driver runs on this machine, which has the logs and the terminal.
    command.add("--deploy-mode");
    command.add("client");
    options
        .master()
        .ifPresent(
            master -> {
              command.add("--master");
              command.add(master);
            });
    for (String setting : options.sparkConf()) {
      command.add("--conf");
      command.add(setting);
    }
    command.add(jar.toString());
    command.add(arguments.toString());
    return command;
  }
}
