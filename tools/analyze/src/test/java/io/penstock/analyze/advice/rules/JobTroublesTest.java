/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceFixture;
import io.penstock.analyze.advice.AdviceOptions;
import io.penstock.analyze.advice.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Skew, spill and idle cores, from the event log of a job. */
class JobTroublesTest {
  @TempDir Path directory;
  private AdviceFixture logs;

  @BeforeEach
  void open() throws IOException {
    logs = AdviceFixture.open(directory);
  }

  @AfterEach
  void close() throws IOException {
    logs.close();
  }

  private void stage(
      long id, double median, double longest, double elapsed, long shuffle, long spill)
      throws IOException {
    logs.run(
        """
        insert into spark_stages(app_id, stage_id, attempt, name, tasks, elapsed_ms, run_ms,
          task_p50_ms, task_max_ms, shuffle_read_bytes, disk_spill_bytes)
        values ('app-1', %d, 0, 'save at J.java:1', 100, %f, 1000, %f, %f, %d, %d)
        """
            .formatted(id, elapsed, median, longest, shuffle, spill));
  }

  private void executor(String id, int minutes, double runMinutes) throws IOException {
    logs.run(
        """
        insert into spark_executors(app_id, exec_id, cores, added, removed, run_ms)
        values ('app-1', '%s', 4, timestamp '2024-06-04 14:40:00',
          timestamp '2024-06-04 14:40:00' + to_minutes(%d), %f)
        """
            .formatted(id, minutes, runMinutes * 60_000));
  }

  private Advice advice(String rule) throws IOException {
    return Advisor.advise(
            logs.ready(), AdviceOptions.none(), List.of(Rules.byId(rule).orElseThrow()))
        .get(0);
  }

  @ParameterizedTest
  @CsvSource({
    // median, longest, stage, shuffle bytes, verdict, setting
    "1000, 60000, 61000, 5000, BENCHMARK, spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes",
    "1000, 60000, 61000, 0, BENCHMARK, what stage 3 reads",
    "20000, 60000, 61000, 5000, DONT, ''",
    "1000, 9000, 10000, 5000, DONT, ''",
    "1000, 60000, 600000, 5000, DONT, ''"
  })
  void aStageWaitsForOneTask(
      double median, double longest, double elapsed, long shuffle, Verdict verdict, String setting)
      throws IOException {
    logs.app("3.5.1");
    stage(3, median, longest, elapsed, shuffle, 0);
    Advice advice = advice("R20");
    assertThat(advice.verdict()).isEqualTo(verdict);
    assertThat(advice.changes().stream().map(change -> change.name()).findFirst().orElse(""))
        .isEqualTo(setting);
  }

  @Test
  void skewJoinsAreSwitchedOnWhereTheyAreOff() throws IOException {
    logs.app("3.5.1", "spark.sql.adaptive.skewJoin.enabled", "false");
    stage(3, 1_000, 60_000, 61_000, 5_000, 0);
    Advice advice = advice("R20");
    assertThat(advice.verdict()).isEqualTo(Verdict.DO);
    assertThat(advice.changes())
        .anySatisfy(
            change -> {
              assertThat(change.name()).isEqualTo("spark.sql.adaptive.skewJoin.enabled");
              assertThat(change.now()).isEqualTo("false");
              assertThat(change.next()).isEqualTo("true");
            });
  }

  @Test
  void aSpillOfTheShuffleAsksForMorePartitions() throws IOException {
    logs.app("3.5.1", "spark.sql.shuffle.partitions", "100");
    stage(3, 1_000, 2_000, 61_000, 100L << 30, 2L << 30);
    Advice advice = advice("R21");
    assertThat(advice.verdict()).isEqualTo(Verdict.BENCHMARK);
    assertThat(advice.changes().get(0).next()).isEqualTo("800");
  }

  @Test
  void aLittleSpillIsNone() throws IOException {
    logs.app("3.5.1");
    stage(3, 1_000, 2_000, 61_000, 100L << 30, 1L << 20);
    assertThat(advice("R21").verdict()).isEqualTo(Verdict.DONT);
  }

  @Test
  void coresWithoutTasksAreFewerExecutors() throws IOException {
    logs.app("3.5.1");
    for (int i = 0; i < 10; i++) {
      executor(Integer.toString(i), 20, 16);
    }
    Advice advice = advice("R22");
    assertThat(advice.verdict()).isEqualTo(Verdict.BENCHMARK);
    // 16 of 80 core minutes: a fifth of ten executors, and a quarter more.
    assertThat(advice.changes().get(0).name()).isEqualTo("spark.executor.instances");
    assertThat(advice.changes().get(0).next()).isEqualTo("3");
  }

  @Test
  void busyCoresAreLeftAlone() throws IOException {
    logs.app("3.5.1");
    executor("1", 20, 60);
    executor("2", 20, 60);
    assertThat(advice("R22").verdict()).isEqualTo(Verdict.DONT);
  }

  @ParameterizedTest
  @CsvSource({"R20", "R21", "R22"})
  void withoutAnEventLogNothingIsSaid(String rule) throws IOException {
    assertThat(advice(rule).verdict()).isEqualTo(Verdict.NO_EVIDENCE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Command exited with code 137 | 1",
        "Container from a bad node. Exit status: 137. Diagnostics: Killed | 1",
        "exit code: 137, reason OOMKilled | 1",
        "Command exited with code 1 | 0",
        "Executor killed by driver. | 0",
        "heartbeat timed out after 1370 ms | 0"
      })
  void anExecutorThatTheKernelKilledLackedMemory(String reason, int killed) throws IOException {
    logs.app("3.5.1");
    executor("1", 20, 60);
    logs.run("update spark_executors set removed_reason = '" + reason + "'");
    logs.ready();
    Advisor.advise(logs.ready(), AdviceOptions.none(), List.of());
    assertThat(Executors.of(new Queries(logs.ready()).answer("executors")).killedForMemory())
        .isEqualTo(killed);
  }
}
