/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.install;

import io.penstock.cli.install.Installation.Change;
import io.penstock.cli.start.Jars;
import io.penstock.doctor.machine.ThisMachine;
import io.penstock.doctor.spark.PenstockView;
import io.penstock.doctor.spark.SparkHome;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code penstock install}: puts Penstock into an installed Spark, or takes it out. */
@Command(
    name = "install",
    description = {
      "Puts penstock-spark.jar into a Spark's jars directory and switches it on in"
          + " spark-defaults.conf. Then everything of that Spark can use s3:// and s3a://, also"
          + " what runs before plugins start: the Thrift Server, spark-sql with a warehouse on"
          + " S3, applications and jars on S3, the History Server.",
      "Without --write, only shows what would change."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Exit codes: 0 done, or nothing to do; 1 failure, 2 wrong usage."})
public final class InstallCommand implements Callable<Integer> {
  private static final ClassLoader LOADER = InstallCommand.class.getClassLoader();

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "SPARK_HOME",
      description = "Directory of the installed Spark. Default: SPARK_HOME of the environment.")
  private String home;

  @Option(names = "--write", description = "Make the changes.")
  private boolean mayWrite;

  @Option(names = "--undo", description = "Take everything out that this command put in.")
  private boolean undoes;

  @Option(
      names = "--jar",
      paramLabel = "FILE",
      description = "Path of penstock-spark.jar. Default: that of this installation.")
  private Path jar;

  @Option(
      names = "--conf-dir",
      paramLabel = "DIR",
      description =
          "Directory of spark-defaults.conf. Default: conf in SPARK_HOME; for the Spark of the"
              + " environment, SPARK_CONF_DIR.")
  private Path confDirectory;

  @Override
  public Integer call() throws IOException {
    SparkHome installed = sparkHome();
    Path spark = Path.of(installed.directory());
    Path conf =
        Optional.ofNullable(confDirectory)
            .or(() -> Optional.ofNullable(confOfEnvironment()).map(Path::of))
            .orElse(spark.resolve("conf"));
    Installation installation =
        new Installation(spark.resolve("jars"), conf.resolve("spark-defaults.conf"));
    Optional<String> obstacle =
        undoes ? Optional.empty() : installation.obstacle(installed, PenstockView.of(LOADER));
    if (obstacle.isPresent()) {
      throw new IOException(obstacle.get());
    }
    Change change = undoes ? installation.undo() : installation.install(jar());
    PrintWriter out = spec.commandLine().getOut();
    if (change.isNothing()) {
      out.println(undoes ? "Penstock is not installed there." : "Penstock is installed already.");
      return 0;
    }
    show(installation, change, out);
    if (mayWrite) {
      try {
        installation.make(change);
      } catch (AccessDeniedException e) {
        throw new IOException("no permission to write " + e.getFile(), e);
      }
      out.println("Done.");
    } else {
      out.println("Nothing was changed: add --write to do this.");
    }
    return 0;
  }

  private void show(Installation installation, Change change, PrintWriter out) throws IOException {
    String verb = mayWrite ? "" : "would ";
    if (change.added().isPresent()) {
      Path added = change.added().get();
      out.printf(
          "%scopy    %s (%s)%n        to %s%n",
          verb, added, Installation.shownSize(added), installation.target());
    }
    change.removed().forEach(old -> out.printf("%sremove  %s%n", verb, old));
    if (change.text().isPresent()) {
      out.printf("%swrite   %s%n", verb, installation.defaults());
      change.lines().forEach(line -> out.println("        " + line));
    }
  }

  private SparkHome sparkHome() {
    String directory = home == null ? System.getenv("SPARK_HOME") : home;
    if (directory == null) {
      throw new IllegalArgumentException("name the directory of a Spark, or set SPARK_HOME");
    }
    return SparkHome.at(directory, new ThisMachine())
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s is not the directory of a Spark: it has no jars/spark-core_….jar"
                        .formatted(directory)));
  }

  /** Returns what the environment says of its own Spark; one that is named may be another. */
  private String confOfEnvironment() {
    return home == null ? System.getenv("SPARK_CONF_DIR") : null;
  }

  private Path jar() {
    if (jar == null) {
      return Jars.spark()
          .orElseThrow(
              () -> new IllegalArgumentException("name the jar: --jar=penstock-spark.jar"));
    }
    if (!Files.isRegularFile(jar)) {
      throw new IllegalArgumentException("--jar=" + jar + " does not exist");
    }
    return jar;
  }
}
