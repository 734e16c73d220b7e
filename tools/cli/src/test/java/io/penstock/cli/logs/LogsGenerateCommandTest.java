/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.logs;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.Ran;
import io.penstock.tables.json.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogsGenerateCommandTest {
  @TempDir private Path home;

  private Ran generate(Path directory, String... options) {
    return Ran.penstock(
        Stream.concat(Stream.of("logs", "generate", directory.toString()), Stream.of(options))
            .toArray(String[]::new));
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void itSaysWhatItWroteAndWhatToDoNext() throws IOException {
    Path directory = home.resolve("logs");
    Ran ran = generate(directory, "--requests=40k");

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out())
        .startsWith("40,000 requests in ")
        .contains("23.46 % of the writes", "23.13 % of all")
        .contains("  CompleteMultipartUpload    15,896      5,836  36.71 %\n")
        .contains("  event-log/   1,600 tasks, ")
        .endsWith("\nNow: penstock analyze " + directory + "\n");
    assertThat(names(directory)).containsExactly("access-log", "event-log", "truth.json");
  }

  @Test
  void itFitsATerminal() {
    Ran ran = generate(Path.of(home.toString(), "l"), "--requests=2k", "--format=cloudtrail");
    assertThat(ran.lines())
        .filteredOn(line -> !line.contains(home.toString()))
        .allMatch(line -> line.length() <= 80);
  }

  @Test
  void aScaleIsAPartOfThePublishedJob() {
    Ran ran = generate(home.resolve("logs"), "--run=1", "--scale=0.05", "--format=event-log");
    assertThat(ran.lines()).first().asString().startsWith("7,401 requests in ");
    assertThat(ran.out()).doesNotContain("access-log/");
  }

  @Test
  void aDirectoryInUseIsKeptUnlessItIsSaidOtherwise() throws IOException {
    Path directory = home.resolve("logs");
    generate(directory, "--requests=2000");
    String before = Files.readString(directory.resolve("truth.json"));

    Ran refused = generate(directory, "--requests=3000");
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err())
        .isEqualTo(
            "penstock: "
                + directory
                + " is not empty; name another directory, or add --force to replace the logs that"
                + " an earlier run left there\n");
    assertThat(directory.resolve("truth.json")).hasContent(before);

    assertThat(generate(directory, "--requests=3000", "--force").exitCode()).isZero();
    assertThat(Files.readString(directory.resolve("truth.json"))).contains("\"requests\":3000,");
  }

  @Test
  void theAuditCanBeLeftOut() throws IOException {
    Path directory = home.resolve("logs");
    generate(directory, "--requests=2000", "--no-audit", "--format=access-log");
    for (String name : names(directory.resolve("access-log"))) {
      assertThat(Files.readString(directory.resolve("access-log").resolve(name)))
          .doesNotContain("audit.example.org");
    }
    Path with = home.resolve("with");
    generate(with, "--requests=2000", "--audit", "--format=access-log");
    String first = names(with.resolve("access-log")).get(0);
    assertThat(Files.readString(with.resolve("access-log").resolve(first)))
        .contains("audit.example.org");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--run=11 | the published benchmark has the rows 1 to 10, not 11",
        "--requests=10 | need 1,000 to 1,000,000,000 requests, got 10",
        "--requests=ten | 'ten' is not a number of requests; write 150000, 150k or 10M",
        "--scale=0 | the scale must be above 0, got 0.0",
        "--odd-lines=2 | the share of odd lines is 0 to 1, not 2.0",
        "--prefixes=0 | need 1 to 10,000 prefixes, got 0",
        "--format=parquet | 'parquet' is not a format; write access-log, cloudtrail, event-log",
        "--scenario=storm | --scenario",
      })
  void whatCannotBeIsNamed(String option, String complaint) {
    Ran ran = generate(home.resolve("logs"), option);

    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.complaint()).contains(complaint);
    assertThat(home.resolve("logs")).doesNotExist();
  }

  @Test
  void whatIsJsonCanBeRead() throws IOException {
    Path directory = home.resolve("logs");
    generate(
        directory, "--requests=12k", "--run=5", "--prefixes=3", "--format=cloudtrail,event-log");

    Map<String, Object> truth = Json.parseObject(read(directory.resolve("truth.json")));
    assertThat(truth).containsEntry("requests", 12_000).containsEntry("throttled", 730);
    List<Map<String, Object>> events = new ArrayList<>();
    int records = 0;
    for (Path file : files(directory)) {
      if (file.getFileName().toString().startsWith("events_1_")) {
        for (String line : read(file).lines().toList()) {
          events.add(Json.parseObject(line));
        }
      } else if (file.toString().endsWith(".json.gz")) {
        records += ((List<?>) Json.parseObject(unzipped(file)).get("Records")).size();
      }
    }
    assertThat(records).isEqualTo(12_000);
    assertThat(events.get(events.size() - 1)).containsEntry("Event", "SparkListenerApplicationEnd");
    assertThat(events.stream().filter(event -> event.containsKey("Task Metrics"))).hasSize(1_600);
    assertThat(events.stream().filter(event -> event.containsKey("sparkPlanInfo"))).hasSize(1);
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file);
  }

  private static String unzipped(Path file) throws IOException {
    try (GZIPInputStream in =
        new GZIPInputStream(new ByteArrayInputStream(Files.readAllBytes(file)))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void twoSizesAreOneTooMany() {
    Ran ran = generate(home.resolve("logs"), "--requests=2000", "--scale=1");
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).contains("--requests and --scale both say how many; give one");
  }

  @Test
  void aFileIsNoDirectory() throws IOException {
    Path file = Files.writeString(home.resolve("file"), "x");
    assertThat(generate(file).err()).contains("is a file; name a directory");
  }
}
