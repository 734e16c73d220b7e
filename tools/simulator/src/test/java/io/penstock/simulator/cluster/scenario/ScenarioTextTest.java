/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioTextTest {
  @Test
  void sizesDurationsAndListsAreReadWithTheirUnits() {
    Scenario scenario =
        ScenarioText.parse(
                "mine",
                """
                # A comment.
                job.files: 100,000    # another
                job.file.size: 1.5M
                s3.burst: 250ms
                s3.splits: 60s, 2m
                """)
            .scenario();

    assertThat(scenario.name()).isEqualTo("mine");
    assertThat(scenario.job().files()).isEqualTo(100_000);
    assertThat(scenario.job().fileBytes()).isEqualTo(1_572_864);
    assertThat(scenario.store().burst()).isEqualTo(0.25);
    assertThat(scenario.store().splits())
        .containsExactly(Duration.ofSeconds(60), Duration.ofSeconds(120));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "job.file: 1          | mine, line 1: there is no job.file; did you mean job.files?",
        "job.files            | mine, line 1: 'job.files' is not 'key: value'",
        "job.files: many      | mine: job.files: 'many' is not a whole number such as 200",
        "job.files: 0         | mine: a job needs files to write or reads",
        "job.executors: 0     | mine: need at least one executor, core and task",
        "job.file.size: 5X    | mine: job.file.size: '5X' is not a size such as 64K, 5.2M or 1G",
        "s3.burst: long       | mine: s3.burst: 'long' is not a duration such as 250ms, 5s, 2m or"
            + " 1h",
        "s3.splits: 5s,soon   | mine: s3.splits: 'soon' is not a duration such as 250ms, 5s, 2m or"
            + " 1h",
        "s3.rejected.cost: 2  | mine: a rejection costs from 0 to 1 of a token",
        "job.cores: 99999      | mine: need at most 200,000 threads and 1,000,000 tasks",
        "keys.prefixes: 0      | mine: need from 1 to 10,000 front ends and prefixes",
        "keys.partitions: two | mine: keys.partitions: 'two' is none of one, each",
        "s3.latency: slow     | mine: s3.latency: 'slow' is not a latency; write none, 50ms,"
            + " lognormal:80ms,900ms (p50, p99) or s3",
      })
  void aMistakeIsNamedWithItsPlace(String line, String complaint) {
    String text = line.startsWith("job.files") ? line : line + "\njob.files: 1";

    assertThatThrownBy(() -> ScenarioText.parse("mine", text).scenario()).hasMessage(complaint);
  }

  @Test
  void aKeyMayStandOnce() {
    assertThatThrownBy(() -> ScenarioText.parse("mine", "job.files: 1\njob.files: 2\n"))
        .hasMessage("mine, line 2: job.files is set twice");
  }

  @Test
  void allScenariosThatComeWithUsAreListedAndMakeSense() throws IOException, URISyntaxException {
    Path directory = Path.of(Scenarios.class.getResource("scenarios/index").toURI()).getParent();
    List<String> files;
    try (var paths = Files.list(directory)) {
      files =
          paths
              .map(path -> path.getFileName().toString())
              .filter(name -> name.endsWith(".scenario"))
              .map(name -> name.replace(".scenario", ""))
              .toList();
    }

    assertThat(Scenarios.names()).hasSize(35).containsExactlyInAnyOrderElementsOf(files);
    for (String name : Scenarios.names()) {
      assertThat(Scenarios.of(name).scenario().title()).isNotBlank().hasSizeLessThan(40);
    }
  }

  @Test
  void aScenarioThatIsNotThereIsRefusedWithTheNearest() {
    assertThatThrownBy(() -> Scenarios.of("twin"))
        .hasMessage("there is no scenario twin; did you mean twins?");
  }
}
