/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.input.SparkOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What becomes of a command that is to run inside Spark. */
@Timeout(60)
class SparkHandoffTest {
  @TempDir Path directory;

  @Test
  void whatItPrintsIsPrintedAndSparksLogIsNot() throws Exception {
    Ran ran = submitted("echo 'T1 Summary'; echo WARN noise >&2; echo '@penstock @end' >&2");

    assertThat(ran).isEqualTo(new Ran(0, "T1 Summary\n", ""));
    assertThat(log()).doesNotExist();
  }

  @Test
  void itsExitCodeIsHandedBack() throws Exception {
    Ran ran = submitted("echo '@penstock @end' >&2; exit 2");

    assertThat(ran).isEqualTo(new Ran(2, "", ""));
  }

  @Test
  void itsComplaintsAreShownAndTheLogIsNamed() throws Exception {
    Ran ran =
        submitted(
            "echo noise >&2; echo '@penstock penstock: nothing is at s3://b/x' >&2;"
                + " echo '@penstock @end' >&2; exit 2");

    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err().lines())
        .containsExactly("penstock: nothing is at s3://b/x", "Spark's log is " + log());
    assertThat(log()).hasContent("noise");
  }

  @Test
  void aSparkThatDiesIsAFailureThatSaysWhy() throws Exception {
    Ran ran =
        submitted(
            "echo 'Exception in thread \"main\" org.apache.spark.SparkException: no master' >&2;"
                + " exit 137");

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.err().lines())
        .containsExactly(
            "penstock: Spark ended before its work, with exit code 137",
            "  Exception in thread \"main\" org.apache.spark.SparkException: no master",
            "Spark's log is " + log());
  }

  @Test
  void aSparkThatStopsTooSoonIsAFailureWhateverItsExitCode() throws Exception {
    assertThat(submitted("exit 0").exitCode()).isEqualTo(1);
  }

  @Test
  void aDirectoryWithoutSparkIsNamed() {
    Ran ran = Ran.penstock("analyze", "--engine", "spark", "--spark-home", "/nowhere", "logs");

    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.complaint())
        .isEqualTo("penstock: --spark-home=/nowhere is not a Spark: it has no bin/spark-submit");
  }

  @Test
  void optionsOfOneEngineAreRefusedWithTheOther() {
    assertThat(Ran.penstock("analyze", "--master", "yarn", directory.toString()).complaint())
        .isEqualTo(
            "penstock: --spark-home, --master, --spark-conf and --work-dir go with --engine spark");
    assertThat(Ran.penstock("analyze", "--engine=spark", "--threads=4", "logs").complaint())
        .isEqualTo(
            "penstock: --cache and --threads apply to DuckDB only; with Spark use --work-dir and"
                + " --master 'local[N]'");
  }

  @Test
  void theArgumentsOfTheCommandAreNoArgumentsOfSparks() throws IOException {
    Path program = Files.createDirectories(directory.resolve("bin")).resolve("spark-submit");
    assertThat(Files.createFile(program).toFile().setExecutable(true)).isTrue();
    SparkOptions options = new SparkOptions();
    new CommandLine(options)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .parseArgs(
            "--engine=spark",
            "--spark-home=" + directory,
            "--master=local[2]",
            "--spark-conf=spark.ui.enabled=false");
    Path jar = Files.createFile(directory.resolve("penstock-cli.jar"));
    System.setProperty("penstock.jars", directory.toString());
    try {
      assertThat(
              SparkSubmit.find(options, java.util.Map.of()).command(options, Path.of("/tmp/sent")))
          .containsExactly(
              program.toString(),
              "--class",
              "io.penstock.cli.SparkMain",
              "--deploy-mode",
              "client",
              "--master",
              "local[2]",
              "--conf",
              "spark.ui.enabled=false",
              jar.toString(),
              "/tmp/sent");
    } finally {
      System.clearProperty("penstock.jars");
    }
  }

  private Path log() {
    return directory.resolve("spark.log");
  }

  private Ran submitted(String script) throws IOException, InterruptedException {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int code = SparkHandoff.run(List.of("sh", "-c", script), log(), command);
    return new Ran(code, out.toString(), err.toString());
  }
}
