/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli;

import io.penstock.cli.input.LogsOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Runs a command inside Spark instead of in this process, if its options ask for that. */
final class SparkHandoff implements CommandLine.IExecutionStrategy {
  /** The state that the Spark process has reported so far. */
  private static final class Said {
    private boolean isOver;
    private boolean isTrouble;
    private String lastProblem = "";
  }

  @Override
  public int execute(ParseResult parsed) {
    ParseResult last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    CommandSpec spec = last.commandSpec();
    Optional<LogsOptions> logs =
        spec.mixins().values().stream()
            .map(CommandSpec::userObject)
            .filter(LogsOptions.class::isInstance)
            .map(LogsOptions.class::cast)
            .findFirst();
    boolean isHelp = last.isUsageHelpRequested() || last.isVersionHelpRequested();
    if (isHelp || logs.isEmpty() || !logs.get().spark().isSpark()) {
      return new CommandLine.RunLast().execute(parsed);
    }
    CommandLine command = spec.commandLine();
    try {
      return run(logs.get(), parsed.originalArgs(), command);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandLine.ExecutionException(command, "interrupted", e);
    } catch (IOException | RuntimeException e) {
      throw new CommandLine.ExecutionException(command, e.getMessage(), e);
    }
  }

  private static int run(LogsOptions logs, List<String> arguments, CommandLine command)
      throws IOException, InterruptedException {
    // Wrong options are reported before Spark starts.
    logs.checkOptions();
    SparkSubmit spark = SparkSubmit.find(logs.spark(), System.getenv());
    // Only the owner can read these files.
    Path sent = Files.createTempFile("penstock-arguments-", "");
    Path log = Files.createTempFile("penstock-spark-", ".log");
    try {
      Files.writeString(sent, SparkMain.encode(arguments));
      return run(spark.command(logs.spark(), sent), log, command);
    } finally {
      Files.deleteIfExists(sent);
    }
  }

  static int run(List<String> started, Path log, CommandLine command)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(started);
    // Use our Java, which is known to be new enough. Spark would not search for such a version.
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    Thread killer = new Thread(process::destroy);
    Runtime.getRuntime().addShutdownHook(killer);
    try {
      process.getOutputStream().close();
      Said said = new Said();
      PrintWriter err = command.getErr();
      Thread reader = new Thread(() -> follow(process, log, said, err), "penstock-spark-log");
      reader.start();
      process.inputReader(StandardCharsets.UTF_8).transferTo(command.getOut());
      command.getOut().flush();
      int code = process.waitFor();
      reader.join();
      return ended(code, said, log, err);
    } finally {
      process.destroy();
      Runtime.getRuntime().removeShutdownHook(killer);
    }
  }

  private static void follow(Process process, Path log, Said said, PrintWriter err) {
    try (BufferedReader lines = process.errorReader(StandardCharsets.UTF_8);
        PrintWriter file = new PrintWriter(Files.newBufferedWriter(log))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.startsWith(SparkMain.MARK)) {
          file.println(line);
          said.lastProblem = isProblem(line) ? line.strip() : said.lastProblem;
        } else if (line.endsWith(SparkMain.END)) {
          said.isOver = true;
        } else {
          said.isTrouble = true;
          err.println(line.substring(SparkMain.MARK.length()));
          err.flush();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isProblem(String line) {
    return line.startsWith("Caused by: ")
        || line.startsWith("Exception in")
        || line.startsWith("Error: ");
  }

  private static int ended(int code, Said said, Path log, PrintWriter err) throws IOException {
    if (said.isOver && !said.isTrouble) {
      Files.deleteIfExists(log);
      return code;
    }
    if (!said.isOver) {
      err.println("penstock: Spark ended before its work, with exit code " + code);
      if (!said.lastProblem.isEmpty()) {
        err.println("  " + said.lastProblem);
      }
    }
    err.println("Spark's log is " + log);
    err.flush();
    return said.isOver ? code : CommandLine.ExitCode.SOFTWARE;
  }
}
