/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateCommandTest {
  @TempDir private Path directory;

  private Path scenario() throws IOException {
    return Files.writeString(
        directory.resolve("mine.scenario"),
        """
        title: a small one
        job.executors: 10
        job.tasks: 100
        job.files: 1000
        s3.writes: 100
        """);
  }

  @Test
  void theScenariosAreListedWithWhatTheyAre() {
    Ran ran = Ran.penstock("simulate", "--list");

    assertThat(ran.lines()).hasSize(35).allMatch(line -> line.length() <= 80);
    assertThat(ran.lines()).contains("  row9-10                 579k files of 5.2 MiB");
  }

  @Test
  void aScenarioIsShownAsAFileThatCanBeSimulated() throws IOException {
    String text = Ran.penstock("simulate", "--show", "small-cluster").out();
    Path copy = Files.writeString(directory.resolve("small-cluster.scenario"), text);

    assertThat(Ran.penstock("simulate", copy.toString(), "--files=100").out())
        .isEqualTo(Ran.penstock("simulate", "small-cluster", "--files=100").out())
        .startsWith("small-cluster: 40 threads alone, but job.files=100\n");
  }

  @Test
  void aTableComparesThePolicies() throws IOException {
    Ran ran = Ran.penstock("simulate", scenario().toString(), "--compare");

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.lines()).allMatch(line -> line.length() <= 80);
    assertThat(ran.lines().get(0)).isEqualTo("mine: a small one");
    assertThat(ran.lines().subList(4, 10))
        .extracting(line -> line.strip().split(" ", 2)[0])
        .containsExactly("backoff", "aimd", "sdk-adaptive", "penstock-alone", "penstock", "ideal");
    assertThat(ran.lines().get(9)).containsPattern("ideal .* 1.000 +0.00 +0.00 +0 +3,000 +-");
    assertThat(ran.err()).contains("mine: 0 runs left");
  }

  @Test
  void theSameSeedPrintsTheSameBytes() throws IOException {
    String[] command = {
      "simulate", scenario().toString(), "--compare", "--seeds=2", "--format=csv"
    };

    assertThat(Ran.penstock(command).out()).isEqualTo(Ran.penstock(command).out());
  }

  @Test
  void csvHasALineForEachPolicy() throws IOException {
    Ran ran = Ran.penstock("simulate", scenario().toString(), "--format=csv");

    assertThat(ran.lines()).hasSize(3);
    assertThat(ran.lines().get(0)).startsWith("scenario,policy,seconds,over_ideal,throttled_");
    assertThat(ran.lines().get(1)).startsWith("mine,backoff,");
    assertThat(ran.lines().get(2)).startsWith("mine,penstock,");
  }

  @Test
  void markdownHasALineForEachScenario() throws IOException {
    Ran ran =
        Ran.penstock(
            "simulate", scenario().toString(), "small-cluster", "--format=md", "--policy=ideal");

    assertThat(ran.lines())
        .containsExactly(
            "| scenario | ideal |",
            "|---|---|",
            "| mine | 1.000 / 0.00 |",
            "| small-cluster | 1.000 / 0.00 |");
  }

  @Test
  void aJobIsSized() throws IOException {
    Ran ran = Ran.penstock("simulate", scenario().toString(), "--size", "--policy=ideal");

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.lines().get(0)).isEqualTo("mine: a small one; policy ideal, seed 1");
    assertThat(ran.out()).containsPattern("\\* [0-9]+ executors of 8 cores: with more");
    assertThat(ran.lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void figuresAreWrittenWhereTheyWereAskedFor() throws IOException {
    Ran ran =
        Ran.penstock(
            "simulate",
            scenario().toString(),
            "--html=" + directory.resolve("page.html"),
            "--svg=" + directory.resolve("figures"),
            "--png=" + directory.resolve("figures"));

    assertThat(ran.exitCode()).isZero();
    assertThat(directory.resolve("page.html")).content().contains("a small one, policy penstock");
    assertThat(directory.resolve("figures"))
        .isDirectoryContaining("glob:**/mine-backoff-seed1.svg")
        .isDirectoryContaining("glob:**/mine-penstock-seed1.png");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "row9-1          | there is no scenario and no file row9-1; did you mean row9-10?",
        "--show=row9-1   | there is no scenario row9-1; did you mean row9-10?",
        "--policy=backof | there is no policy backof; did you mean backoff?",
        "--seeds=0       | --seeds must be from 1 to 1000",
        "--executors=all | row9-10: job.executors: 'all' is not a whole number such as 200",
        "--file-size=5.2 MB is | row9-10: job.file.size: '5.2 MB is' is not a size such as 64K,",
        "--set=files=3   | there is no files; did you mean",
        "--set=files     | --set=files is not KEY=VALUE",
      })
  void badInputIsRefusedWithTheFix(String argument, String complaint) {
    Ran ran = Ran.penstock("simulate", argument);

    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).startsWith("penstock: " + complaint);
    assertThat(ran.out()).isEmpty();
  }

  @Test
  void aMistakeInAFileIsNamedWithItsLine() throws IOException {
    Path file = Files.writeString(directory.resolve("bad.scenario"), "job.file.sise: 5M\n");

    assertThat(Ran.penstock("simulate", file.toString()).err())
        .isEqualTo(
            "penstock: bad, line 1: there is no job.file.sise; did you mean job.file.size?\n");
  }

  @Test
  void optionsThatContradictEachOtherAreRefused() {
    assertThat(Ran.penstock("simulate", "--all", "twins").exitCode()).isEqualTo(2);
    assertThat(Ran.penstock("simulate", "--compare", "--policy=aimd").exitCode()).isEqualTo(2);
    assertThat(Ran.penstock("simulate", "--size", "--compare").exitCode()).isEqualTo(2);
  }
}
