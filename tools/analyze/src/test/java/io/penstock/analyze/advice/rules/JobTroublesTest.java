/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceFixture;
import io.penstock.analyze.advice.AdviceOptions;
import io.penstock.analyze.advice.AdviceVerdict;
import io.penstock.analyze.advice.rules.facts.Executors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.assertj.core.groups.Tuple;
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
        insert into spark_executors(app_id, exec_id, cores, added, until, run_ms)
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
    "1000, 60000, 61000, 268435456, BENCHMARK, spark.sql.adaptive.forceOptimizeSkewedJoin",
    // Two pieces of Spark's advisory size are the least worth a split.
    "1000, 60000, 61000, 134217727, BENCHMARK, the key of the join or group",
    "1000, 60000, 61000, 0, BENCHMARK, the work of stage 3",
    "20000, 60000, 61000, 5000, DONT, ''",
    "1000, 9000, 10000, 5000, DONT, ''",
    "1000, 60000, 600000, 5000, DONT, ''"
  })
  void aStageWaitsForOneTask(
      double median,
      double longest,
      double elapsed,
      long shuffle,
      AdviceVerdict verdict,
      String setting)
      throws IOException {
    logs.app("3.5.1");
    stage(3, median, longest, elapsed, shuffle, 0);
    Advice advice = advice("R20");
    assertThat(advice.verdict()).isEqualTo(verdict);
    assertThat(advice.changes().stream().map(change -> change.name()).findFirst().orElse(""))
        .isEqualTo(setting);
  }

  @Test
  void aFileThatCannotBeCutIsOneTask() throws IOException {
    logs.app("3.5.1");
    stage(3, 1_000, 60_000, 61_000, 0, 0);
    logs.run("update spark_stages set input_bytes = 1000");
    assertThat(advice("R20").changes()).extracting("name").containsExactly("what stage 3 reads");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "3.5.1 | spark.sql.adaptive.skewJoin.enabled | false"
            + " | spark.sql.adaptive.skewJoin.enabled=true",
        "3.1.3 | spark.app.id | x | spark.sql.adaptive.enabled=true",
        "3.2.4 | spark.app.id | x | the key of the join or group=with a random suffix (salted)",
        "2.4.8 | spark.app.id | x | the key of the join or group=with a random suffix (salted)"
      })
  void onlyWhatIsNotSoIsChanged(String spark, String name, String value, String change)
      throws IOException {
    logs.app(spark, name, value);
    stage(3, 1_000, 60_000, 61_000, 1L << 30, 0);
    assertThat(advice("R20").changes().stream().map(one -> one.name() + "=" + one.next()))
        .containsExactly(change);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // of 100 GiB: what the longest task read, and what is changed first
        "40 | spark.sql.adaptive.forceOptimizeSkewedJoin=true",
        "1 | spark.speculation=true"
      })
  void whatTheLongestTaskReadTellsTheCause(long gib, String change) throws IOException {
    logs.app("3.5.1");
    stage(3, 1_000, 60_000, 61_000, 100L << 30, 0);
    logs.run("update spark_stages set longest_bytes = " + (gib << 30));
    Advice advice = advice("R20");
    assertThat(advice.changes().get(0).name() + "=" + advice.changes().get(0).next())
        .isEqualTo(change);
    assertThat(advice.evidence()).contains("The longest task read %d GiB".formatted(gib));
  }

  @Test
  void aPartitionBelowTheThresholdIsSplitByALowerOne() throws IOException {
    logs.app("3.5.1");
    stage(3, 1_000, 60_000, 61_000, 400L << 20, 0);
    logs.run("update spark_stages set longest_bytes = " + (200L << 20));
    assertThat(advice("R20").changes().get(0))
        .extracting("name", "next")
        .containsExactly("spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes", "100m");
  }

  @Test
  void aSlowMachineIsNamed() throws IOException {
    logs.app("3.5.1");
    executor("4", 20, 16);
    stage(3, 1_000, 60_000, 61_000, 100L << 30, 0);
    logs.run("update spark_stages set slow_executor = '4', longest_bytes = 1");
    logs.run("update spark_executors set host = 'node-4'");
    Advice advice = advice("R20");
    assertThat(advice.evidence()).contains("ran on executor 4 (node-4)");
    assertThat(advice.changes())
        .extracting("name")
        .containsExactly("the machine of executor 4", "spark.speculation");
  }

  @Test
  void theSpillOfOneKeyIsNoSpillOfAll() throws IOException {
    logs.app("3.5.1");
    stage(3, 1_000, 60_000, 61_000, 100L << 30, 30L << 30);
    logs.run("update spark_stages set spilled_tasks = 1");
    Advice advice = advice("R21");
    assertThat(advice.verdict()).isEqualTo(AdviceVerdict.DONT);
    assertThat(advice.evidence()).startsWith("30 GiB was spilled by 1 of the 100 tasks of stage 3");
  }

  @ParameterizedTest
  @CsvSource({
    // tasks, stage, longest task, verdict: 40 cores, 20 minutes
    "2, 600000, 590000, BENCHMARK",
    "20, 600000, 590000, BENCHMARK",
    "21, 600000, 590000, DONT",
    "2, 200000, 190000, DONT",
    "2, 600000, 100000, DONT"
  })
  void aLongStageHasFewTasks(int tasks, double elapsed, double longest, AdviceVerdict verdict)
      throws IOException {
    logs.app("3.5.1");
    logs.run("update spark_apps set elapsed_ms = 1200000");
    for (int i = 0; i < 10; i++) {
      executor(Integer.toString(i), 20, 16);
    }
    stage(3, longest, longest, elapsed, 1L << 30, 0);
    logs.run("update spark_stages set tasks = " + tasks);
    assertThat(advice("R26").verdict()).isEqualTo(verdict);
  }

  /** Ten executors wait for one task: fewer of them would make all other stages longer. */
  @Test
  void coresThatWaitForAStageAreNotTakenAway() throws IOException {
    logs.app("3.5.1", "spark.kubernetes.executor.container.image", "x", "spark.master", "k8s://x");
    for (int i = 0; i < 10; i++) {
      executor(Integer.toString(i), 20, 16);
    }
    stage(3, 1_000, 900_000, 900_000, 100L << 30, 0);
    logs.run("update spark_stages set held_ms = 1000000");
    Advice idle = advice("R22");
    assertThat(idle.verdict()).isEqualTo(AdviceVerdict.DONT);
    assertThat(idle.evidence()).contains("change these first");
    assertThat(advice("R11").verdict()).isEqualTo(AdviceVerdict.DONT);
  }

  @Test
  void aSpillOfTheShuffleAsksForMorePartitions() throws IOException {
    logs.app("3.5.1", "spark.sql.shuffle.partitions", "100");
    stage(3, 1_000, 2_000, 61_000, 100L << 30, 2L << 30);
    Advice advice = advice("R21");
    assertThat(advice.verdict()).isEqualTo(AdviceVerdict.BENCHMARK);
    assertThat(advice.changes().get(0).next()).isEqualTo("800");
    assertThat(advice.changes().get(0).name()).isEqualTo("spark.sql.shuffle.partitions");
  }

  /** Spark had joined the small ones of 200: fewer partitions than that would spill more. */
  @Test
  void partitionsThatSparkJoinedAreMadeSmaller() throws IOException {
    logs.app("3.5.1");
    stage(3, 1_000, 2_000, 61_000, 1_300L << 20, 2L << 30);
    logs.run("update spark_stages set tasks = 20");
    assertThat(advice("R21").changes())
        .extracting("name", "next")
        .containsExactly(Tuple.tuple("spark.sql.adaptive.advisoryPartitionSizeInBytes", "32m"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // Spark, a setting, tasks, what is set to what
        "3.5.1 | spark.sql.adaptive.coalescePartitions.initialPartitionNum | 1000 | 300"
            + " | spark.sql.adaptive.advisoryPartitionSizeInBytes=32m",
        "3.5.1 | spark.sql.adaptive.coalescePartitions.initialPartitionNum | 1000 | 1000"
            + " | spark.sql.adaptive.coalescePartitions.initialPartitionNum=2000",
        "3.1.3 | spark.sql.shuffle.partitions | 20 | 20 | spark.sql.shuffle.partitions=40",
        // Not the number of SQL: the code says how many.
        "3.1.3 | spark.app.id | x | 20 | the number of partitions that the code sets for stage"
            + " 3=40",
        "4.1.1 | spark.app.id | x | 4 | the number of partitions that the code sets for stage 3=11",
        "2.4.8 | spark.sql.adaptive.enabled | true | 20"
            + " | spark.sql.adaptive.shuffle.targetPostShuffleInputSize=32m"
      })
  void theSettingIsThatOfTheVersionAndThePlan(
      String spark, String name, String value, int tasks, String change) throws IOException {
    logs.app(spark, name, value);
    stage(3, 1_000, 2_000, 61_000, 1_300L << 20, 2L << 30);
    logs.run("update spark_stages set tasks = " + tasks);
    assertThat(advice("R21").changes().stream().map(one -> one.name() + "=" + one.next()))
        .containsExactly(change);
  }

  @Test
  void aStageThatReadsFilesGetsSmallerParts() throws IOException {
    logs.app("3.5.1", "spark.sql.files.maxPartitionBytes", "256m");
    stage(3, 1_000, 2_000, 61_000, 0, 2L << 30);
    logs.run("update spark_stages set files_read = 2");
    assertThat(advice("R21").changes())
        .extracting("name", "next")
        .containsExactly(Tuple.tuple("spark.sql.files.maxPartitionBytes", "128m"));
  }

  @Test
  void aLittleSpillIsNone() throws IOException {
    logs.app("3.5.1");
    stage(3, 1_000, 2_000, 61_000, 100L << 30, 1L << 20);
    assertThat(advice("R21").verdict()).isEqualTo(AdviceVerdict.DONT);
  }

  @Test
  void coresWithoutTasksAreFewerExecutors() throws IOException {
    logs.app("3.5.1");
    for (int i = 0; i < 10; i++) {
      executor(Integer.toString(i), 20, 16);
    }
    Advice advice = advice("R22");
    assertThat(advice.verdict()).isEqualTo(AdviceVerdict.BENCHMARK);
    // 16 of 80 core minutes: a fifth of ten executors, and a quarter more.
    assertThat(advice.changes().get(0).name()).isEqualTo("spark.executor.instances");
    assertThat(advice.changes().get(0).next()).isEqualTo("3");
  }

  @ParameterizedTest
  @CsvSource({
    "spark.master, spark://driver:7077, spark.cores.max, 12",
    "spark.dynamicAllocation.enabled, true, spark.dynamicAllocation.maxExecutors, 3"
  })
  void theSettingOfFewerExecutorsIsTheClusters(
      String name, String value, String setting, String next) throws IOException {
    logs.app("3.5.1", name, value);
    for (int i = 0; i < 10; i++) {
      executor(Integer.toString(i), 20, 16);
    }
    assertThat(advice("R22").changes())
        .extracting("name", "next")
        .containsExactly(Tuple.tuple(setting, next));
  }

  /** Two executors that are half idle cannot be one; and Spark refuses fewer than the least. */
  @ParameterizedTest
  @CsvSource({
    "spark.executor.instances, 2, spark.app.id, x",
    "spark.dynamicAllocation.enabled, true, spark.dynamicAllocation.minExecutors, 2",
    "spark.dynamicAllocation.enabled, true, spark.dynamicAllocation.maxExecutors, 2",
    "spark.master, spark://driver:7077, spark.app.id, x"
  })
  void whatIsSoIsNotAdvised(String name, String value, String second, String number)
      throws IOException {
    logs.app("3.5.1", name, value, second, number);
    executor("1", 20, 36);
    executor("2", 20, 36);
    Advice advice = advice("R22");
    assertThat(advice.verdict()).isEqualTo(AdviceVerdict.DONT);
    assertThat(advice.changes()).isEmpty();
  }

  @Test
  void theLeastOfSparkIsTheLeast() throws IOException {
    logs.app(
        "3.5.1",
        "spark.dynamicAllocation.enabled",
        "true",
        "spark.dynamicAllocation.minExecutors",
        "8");
    for (int i = 0; i < 10; i++) {
      executor(Integer.toString(i), 20, 16);
    }
    assertThat(advice("R22").changes()).extracting("next").containsExactly("8");
  }

  @Test
  void aLogWithoutAnEndLacksTheTasksThatRan() throws IOException {
    logs.app("3.5.1");
    for (int i = 0; i < 10; i++) {
      executor(Integer.toString(i), 20, 16);
    }
    logs.run("update spark_apps set ended = null");
    assertThat(advice("R22").verdict()).isEqualTo(AdviceVerdict.NO_EVIDENCE);
  }

  @Test
  void aTaskOfFourCoresKeepsFourBusy() throws IOException {
    logs.app("3.5.1", "spark.task.cpus", "4");
    executor("1", 20, 20);
    executor("2", 20, 20);
    Advice advice = advice("R22");
    assertThat(advice.verdict()).isEqualTo(AdviceVerdict.DONT);
    assertThat(advice.evidence()).contains(" so 0 % was idle");
  }

  @Test
  void anApplicationWithoutALogIsAnError() throws IOException {
    logs.app("3.5.1");
    AdviceOptions other =
        new AdviceOptions(
            Optional.empty(),
            Optional.empty(),
            Optional.of("app-2"),
            Optional.empty(),
            Optional.empty(),
            AdviceOptions.none().prices());
    assertThatThrownBy(() -> Advisor.advise(logs.ready(), other))
        .hasMessage(
            "there is no event log of the application app-2; the given event logs are of app-1");
  }

  @Test
  void busyCoresAreLeftAlone() throws IOException {
    logs.app("3.5.1");
    executor("1", 20, 60);
    executor("2", 20, 60);
    assertThat(advice("R22").verdict()).isEqualTo(AdviceVerdict.DONT);
  }

  @ParameterizedTest
  @CsvSource({"R20", "R21", "R22", "R23", "R26"})
  void withoutAnEventLogNothingIsSaid(String rule) throws IOException {
    assertThat(advice(rule).verdict()).isEqualTo(AdviceVerdict.NO_EVIDENCE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Command exited with code 137 | 1 | 1",
        "Container from a bad node. Exit status: 137. Diagnostics: Killed | 1 | 1",
        "exit code: 137, reason OOMKilled | 1 | 0",
        "exited with exit code 137(SIGKILL, possible container OOM) | 1 | 1",
        "Container killed by YARN for exceeding memory limits | 1 | 0",
        "Command exited with code 52 | 0 | 0",
        "Command exited with code 1 | 0 | 0",
        "Executor killed by driver. | 0 | 0",
        "heartbeat timed out after 1370 ms | 0 | 0"
      })
  void anExecutorThatTheKernelKilledMayHaveLackedMemory(String reason, int killed, int bySignal)
      throws IOException {
    logs.app("3.5.1");
    executor("1", 20, 60);
    logs.run("update spark_executors set removed_reason = '" + reason + "'");
    Advisor.advise(logs.ready(), AdviceOptions.none(), List.of());
    Executors executors = Executors.of(new Queries(logs.ready()).answer("executors"));
    assertThat(executors.killedForMemory()).isEqualTo(killed);
    assertThat(executors.bySignal()).isEqualTo(bySignal);
  }
}
