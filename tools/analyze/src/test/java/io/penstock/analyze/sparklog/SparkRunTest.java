/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.errortext.Redaction;
import io.penstock.analyze.input.Head;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.tables.Table;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SparkRunTest {
  private final ParseStatistics statistics = new ParseStatistics();

  @Test
  void anApplicationIsARow() throws IOException {
    Table apps = table("spark_apps", Events.run());
    assertThat(apps.rows())
        .containsExactly(
            Arrays.asList(
                "application_1_2",
                "nightly",
                "4.1.1",
                Instant.parse("2026-03-01T10:20:30Z"),
                Instant.parse("2026-03-01T10:20:36Z"),
                6000.0,
                true,
                1L,
                "log",
                1L,
                0L,
                null,
                1L,
                null));
  }

  @Test
  void settingsHaveTheirKind() throws IOException {
    assertThat(table("spark_settings", Events.run()).rows())
        .containsExactlyInAnyOrder(
            List.of("application_1_2", "spark", "spark.executor.cores", "4"),
            List.of("application_1_2", "hadoop", "fs.s3a.threads.max", "96"),
            List.of("application_1_2", "jvm", "Java Version", "17"),
            List.of("application_1_2", "system", "user.timezone", "UTC"));
  }

  @Test
  void executorsAreSummedAndThoseThatOnlyHaveTasksToo() throws IOException {
    Table executors = table("spark_executors", Events.run());
    assertThat(executors.rows()).hasSize(2);
    assertThat(executors.text(0, "exec_id")).isEqualTo("1");
    assertThat(executors.text(0, "host")).isEqualTo("10.0.0.8");
    assertThat(executors.count(0, "cores")).isEqualTo(4);
    assertThat(executors.at(0, "removed")).isEqualTo(Instant.parse("2026-03-01T10:20:35Z"));
    assertThat(executors.text(0, "removed_reason")).isEqualTo("idle");
    assertThat(executors.count(0, "tasks")).isEqualTo(2);
    assertThat(executors.number(0, "run_ms")).isEqualTo(140);
    assertThat(executors.number(0, "cpu_ms")).isEqualTo(5);
    assertThat(executors.number(0, "gc_ms")).isEqualTo(6);
    assertThat(executors.count(0, "input_bytes")).isEqualTo(150);
    assertThat(executors.count(0, "peak_heap_bytes")).isEqualTo(500);
    assertThat(executors.count(0, "peak_offheap_bytes")).isEqualTo(67);
    assertThat(executors.count(0, "peak_rss_bytes")).isEqualTo(990);
    assertThat(executors.text(1, "host")).isEqualTo("10.0.0.9");
    assertThat(executors.count(1, "failed_tasks")).isEqualTo(1);
    assertThat(executors.at(1, "added")).isNull();
    assertThat(executors.at(0, "until")).isEqualTo(Instant.parse("2026-03-01T10:20:35Z"));
    assertThat(executors.at(1, "until")).isEqualTo(Instant.parse("2026-03-01T10:20:36Z"));
  }

  /** A job that runs, or crashed: its executors lived as long as something is known of it. */
  @Test
  void withoutAnEndExecutorsLiveUntilTheLastEvent() throws IOException {
    List<String> cut =
        Events.run().stream()
            .filter(line -> !line.contains("ApplicationEnd") && !line.contains("ExecutorRemoved"))
            .toList();
    Table executors = table("spark_executors", cut);
    assertThat(executors.at(0, "removed")).isNull();
    assertThat(executors.at(0, "until")).isEqualTo(Instant.parse("2026-03-01T10:20:33.500Z"));
  }

  /** Since 4.1, Spark counts the run time of a task for each of its cores. */
  @Test
  void aTaskMayTakeSeveralCores() throws IOException {
    List<String> events = new ArrayList<>(Events.run());
    // The environment comes before the tasks.
    events.replaceAll(line -> line.replace("spark.executor.cores", "spark.task.cpus"));
    assertThat(table("spark_apps", events).count(0, "task_cpus")).isEqualTo(4);
    assertThat(table("spark_executors", events).number(0, "run_ms")).isEqualTo(140 / 4);
    assertThat(table("spark_executors", events).number(0, "held_ms")).isEqualTo(140);
    events.replaceAll(line -> line.replace("4.1.1", "4.0.2"));
    assertThat(table("spark_executors", events).number(0, "run_ms")).isEqualTo(140);
  }

  @Test
  void aStageKnowsItsLongestTask() {
    LongestTasks tasks = new LongestTasks();
    for (int i = 0; i < 100; i++) {
      tasks.add(1_000, 64, "executor " + i % 4);
    }
    assertThat(tasks.slowExecutor(1_000)).isEmpty();
    for (int i = 1; i <= 3; i++) {
      tasks.add(5_000 + i, 70 + i, "executor 3");
    }
    assertThat(tasks.bytes()).contains(73L);
    assertThat(tasks.slowExecutor(1_000)).contains("executor 3");
    tasks.add(6_000, 1, "executor 2");
    assertThat(tasks.slowExecutor(1_000)).as("two machines").isEmpty();
  }

  @Test
  void aStageHasItsTasksAndTheNumbersOfItsPlan() throws IOException {
    Table stages = table("spark_stages", Events.run());
    assertThat(stages.rows()).hasSize(1);
    assertThat(stages.count(0, "stage_id")).isEqualTo(5);
    assertThat(stages.text(0, "name")).isEqualTo("save at J.java:1");
    assertThat(stages.number(0, "elapsed_ms")).isEqualTo(1500);
    assertThat(stages.count(0, "tasks")).isEqualTo(3);
    assertThat(stages.count(0, "failed_tasks")).isEqualTo(1);
    assertThat(stages.count(0, "speculative_tasks")).isEqualTo(1);
    assertThat(stages.count(0, "input_records")).isEqualTo(10);
    assertThat(stages.count(0, "empty_tasks")).isEqualTo(1);
    assertThat(stages.number(0, "task_p50_ms")).isEqualTo(40);
    assertThat(stages.number(0, "task_max_ms")).isEqualTo(100);
    assertThat(stages.number(0, "scan_ms")).isEqualTo(42);
    assertThat(stages.count(0, "files_read")).isEqualTo(2);
    assertThat(stages.count(0, "files_read_bytes")).isEqualTo(4096);
    assertThat(stages.count(0, "files_written")).isEqualTo(3);
  }

  @Test
  void executionsHaveTheirTimes() throws IOException {
    assertThat(table("spark_sql", Events.run()).rows())
        .containsExactly(
            List.of(
                "application_1_2",
                3L,
                "save at J.java:1",
                Instant.parse("2026-03-01T10:20:31Z"),
                Instant.parse("2026-03-01T10:20:34Z"),
                3000.0));
  }

  @Test
  void requestsAreThoseOfTheLastEvent() throws IOException {
    String first = "\"report\":{\"total\":{\"reads\":1}}";
    String last =
        "\"report\":{\"version\":1,\"nowMillis\":1772360431000,\"isFinal\":true,"
            + "\"total\":{\"reads\":40,\"writes\":3,\"lists\":2,\"deletes\":1,\"throttled\":5,"
            + "\"failed\":1,\"sentBytes\":10,\"receivedBytes\":20},\"dollars\":0.5,"
            + "\"operations\":[{\"operation\":\"GET\",\"requests\":40,\"p50Millis\":9.5,"
            + "\"p99Millis\":80}],\"queries\":[{\"name\":\"\",\"query\":-1,\"stage\":-1,"
            + "\"requests\":6,\"dollars\":0.1,\"sums\":{\"lists\":6}}],"
            + "\"paths\":[{\"name\":\"lake/t\",\"requests\":46,\"sums\":{\"throttled\":5}}],"
            + "\"later\":[1]}";
    Table told =
        table(
            "spark_requests",
            List.of(
                Events.of("SparkListenerLogStart", "\"Spark Version\":\"3.5.1\""),
                Events.of("io.penstock.spark.ui.PenstockRequests", first),
                Events.of("io.penstock.spark.ui.PenstockRequests", last),
                Events.of("io.penstock.spark.ui.PenstockRequests", "\"report\":7")));
    Instant at = Instant.parse("2026-03-01T10:20:31Z");
    assertThat(told.rows())
        .containsExactly(
            Arrays.asList("log", "all", null, at, true, 46L, 5L, 1L, 20L, 10L, null, null, 0.5),
            Arrays.asList(
                "log", "operation", "GET", at, true, 40L, null, null, null, null, 9.5, 80.0, null),
            Arrays.asList(
                "log", "query", "no query", at, true, 6L, 0L, 0L, 0L, 0L, null, null, 0.1),
            Arrays.asList(
                "log", "path", "lake/t", at, true, 46L, 5L, 0L, 0L, 0L, null, null, null));
  }

  @Test
  void batchesAreThoseThatWereRun() throws IOException {
    String durations =
        "\"triggerExecution\":600,\"walCommit\":110,\"commitOffsets\":70,\"addBatch\":3";
    Table batches =
        table(
            "spark_batches",
            List.of(
                Events.of("SparkListenerLogStart", "\"Spark Version\":\"3.5.1\""),
                Events.progress("\"triggerExecution\":2,\"latestOffset\":1", ""),
                Events.progress(durations, ""),
                Events.progress(
                    durations,
                    ",\"stateOperators\":[{\"commitTimeMs\":30},{\"commitTimeMs\":9}]")));
    assertThat(batches.rows()).containsExactly(batch(null), batch(39.0));
  }

  private static List<Object> batch(Double state) {
    return Arrays.asList(
        "log",
        "q",
        "r",
        "rates",
        7L,
        Instant.parse("2026-03-01T10:20:31.250Z"),
        600.0,
        110.0,
        70.0,
        state,
        25L);
  }

  @Test
  void aLogUnderWayIsReadAsFarAsItGoes() throws IOException {
    List<String> lines = new ArrayList<>(Events.run().subList(0, 9));
    lines.add("{\"Event\":\"SparkListenerTaskEnd\",\"Stage ID\":5,\"Task In");
    Table apps = table("spark_apps", lines);
    assertThat(apps.at(0, "complete")).isEqualTo(false);
    assertThat(apps.at(0, "elapsed_ms")).isNull();
    assertThat(statistics.rejected()).containsOnlyKeys("it is cut off at the end of the file");
    assertThat(statistics.records()).isEqualTo(10);
  }

  @Test
  void badLinesAreCountedAndTheOthersRead() throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line : Events.run()) {
      lines.add(line);
      lines.add("garbage \u0000");
      lines.add("[1,2]");
      lines.add(line + "}");
    }
    lines.add("");
    assertThat(table("spark_stages", lines).count(0, "tasks")).isEqualTo(3);
    assertThat(statistics.rejectedRecords()).isEqualTo(48);
  }

  @Test
  void aLineThatIsTooLongIsPassedOver() throws IOException {
    String huge = Events.of("SparkListenerLogStart", "\"x\":\"" + "y".repeat(1 << 20) + "\"");
    List<String> lines = new ArrayList<>(List.of(huge));
    lines.addAll(Events.run());
    SparkRun run = new SparkRun("log", 200_000);
    run.read(new ByteArrayInputStream(String.join("\n", lines).getBytes(UTF_8)), statistics);
    assertThat(run.version).isEqualTo("4.1.1");
    assertThat(statistics.rejected()).containsOnlyKeys("it is longer than 64 MiB");
    assertThat(statistics.rejected().get("it is longer than 64 MiB").sample())
        .startsWith("{\"Event\"");
    run.read(new ByteArrayInputStream(("ok\n" + huge + "\nx\n").getBytes(UTF_8)), statistics);
    assertThat(statistics.rejected().get("it is not an event").count()).isEqualTo(2);
  }

  @Test
  void anEventOfMillionsOfValuesIsNone() throws IOException {
    String many = Events.of("SparkListenerLogStart", "\"x\":[" + "[],".repeat(2_500_000) + "[]]");
    assertThat(table("spark_apps", List.of(many)).rows()).isEmpty();
    assertThat(statistics.rejected()).containsOnlyKeys("it is cut off at the end of the file");
    table("spark_apps", List.of(many, ""));
    assertThat(statistics.rejected()).containsKey("it is not an event");
  }

  @Test
  void aLogOfSpark1IsReadAsFarAsItGoes() throws IOException {
    List<String> lines =
        List.of(
            "{\"Event\":\"SparkListenerApplicationStart\",\"App"
                + " Name\":\"old\",\"Timestamp\":1400000000000,\"User\":\"u\"}",
            "{\"Event\":\"SparkListenerBlockManagerAdded\",\"Block Manager ID\":{\"Executor"
                + " ID\":\"<driver>\"}}",
            "{\"Event\":\"SparkListenerStageSubmitted\",\"Stage Info\":{\"Stage ID\":0,\"Stage"
                + " Name\":\"count\",\"Number of Tasks\":1}}",
            "{\"Event\":\"SparkListenerTaskEnd\",\"Stage ID\":0,\"Task Info\":{\"Task"
                + " ID\":0,\"Launch Time\":1400000001000,\"Executor"
                + " ID\":\"0\",\"Host\":\"h\",\"Finish"
                + " Time\":1400000003000,\"Failed\":false},\"Task Metrics\":{\"Host"
                + " Name\":\"h\",\"Executor Run Time\":1900,\"Input Metrics\":{\"Data Read"
                + " Method\":\"Hadoop\",\"Bytes Read\":64},\"Shuffle Write Metrics\":{\"Shuffle"
                + " Bytes Written\":5}}}",
            "{\"Event\":\"SparkListenerTaskEnd\",\"Stage ID\":0,\"Task End"
                + " Reason\":{\"Reason\":\"TaskResultLost\"},\"Task Info\":{\"Executor"
                + " ID\":\"0\",\"Failed\":true},\"Task Metrics\":null}");
    Table stages = table("spark_stages", lines);
    assertThat(stages.text(0, "app_id")).isEqualTo("log");
    assertThat(stages.count(0, "tasks")).isEqualTo(2);
    assertThat(stages.number(0, "run_ms")).isEqualTo(1900);
    assertThat(stages.count(0, "input_bytes")).isEqualTo(64);
    assertThat(stages.count(0, "shuffle_write_bytes")).isEqualTo(5);
    assertThat(table("spark_apps", lines).text(0, "name")).isEqualTo("old");
    assertThat(statistics.rejectedRecords()).isZero();
  }

  @Test
  void aNameIsKeptOnOneLineAndShort() throws IOException {
    String name = "<script>alert(1)</script>\\n\\u001b[31m" + "x".repeat(500);
    String text =
        table(
                "spark_apps",
                List.of(
                    Events.of("SparkListenerApplicationStart", "\"App Name\":\"" + name + "\"")))
            .text(0, "name");
    assertThat(text).startsWith("<script>alert(1)</script> [31mxxx").hasSize(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fs.s3a.secret.key|abc|(redacted)",
        "spark.hadoop.fs.s3a.access.key|abc|(redacted)",
        "my.Password|abc|(redacted)",
        "x.token|abc|(redacted)",
        "javax.net.ssl.keyStorePassword|abc|(redacted)",
        "fs.azure.account.key.x|abc|(redacted)",
        "a.b|AKIAIOSFODNN7EXAMPLE|(redacted)",
        "a.b|x=ASIAIOSFODNN7EXAMPLE;y|x=(redacted);y",
        "a.b|wJalrXUtnFEMI/K7MDENG/bPxRfiCY1XAMPLEKEY|(redacted)",
        "a.url|https://user:pa55@host/x|https://(redacted)@host/x",
        "a.opts|-Xmx1g -Dmy.password=hush -Dn=1|-Xmx1g -Dmy.password=(redacted) -Dn=1",
        "fs.s3a.aws.credentials.provider|a.B.XCredentialsProvider,"
            + " c.YProvider|a.B.XCredentialsProvider, c.YProvider",
        "spark.executor.cores|4|4",
        "fs.s3a.secret.key||''"
      })
  void secretsAreTakenOut(String name, String value, String expected) {
    assertThat(Redaction.setting(name, value == null ? "" : value)).isEqualTo(expected);
  }

  @Test
  void attemptsOfAnApplicationAreOneRow() throws IOException {
    SparkRuns runs = new SparkRuns();
    runs.add(read("application_1_2_1", Events.run()));
    List<String> later = new ArrayList<>(Events.run());
    later.replaceAll(line -> line.replace("1772360430000", "1772360430001").replace("96", "97"));
    runs.add(read("application_1_2_2", later));
    assertThat(runs.add(read("empty", List.of("{\"Event\":\"Other\"}")))).isFalse();
    Table apps = runs.tables().get(0);
    assertThat(apps.rows()).hasSize(1);
    assertThat(apps.count(0, "attempts")).isEqualTo(2);
    assertThat(apps.text(0, "file")).isEqualTo("application_1_2_2");
    assertThat(runs.tables().get(1).rows()).hasSize(4);
    assertThat(runs.tables().get(1).toString()).contains("97").doesNotContain("96");
    assertThat(runs.tables().get(3).rows()).as("stages of the newest").hasSize(1);
  }

  @Test
  void partsOfALogAreOneRun() throws IOException {
    List<String> lines = Events.run();
    SparkRun run = new SparkRun("eventlog_v2_x");
    for (int i = 0; i < lines.size(); i++) {
      run.read(new ByteArrayInputStream(lines.get(i).getBytes(UTF_8)), statistics);
    }
    SparkRuns runs = new SparkRuns();
    runs.add(run);
    assertThat(runs.tables().get(3).count(0, "files_read")).isEqualTo(2);
    assertThat(runs.tables().get(0).at(0, "complete")).isEqualTo(true);
  }

  @Test
  void databricksRollsByTheHour() {
    assertThat(
            EventLogParts.of(
                List.of(
                    "c/eventlog",
                    "c/eventlog-2021-06-15--16-00.gz",
                    "c/eventlog-2021-06-15--15-00.gz",
                    "d/eventlog")))
        .containsExactly(
            new EventLogParts(
                "eventlog",
                List.of(
                    "c/eventlog-2021-06-15--15-00.gz",
                    "c/eventlog-2021-06-15--16-00.gz",
                    "c/eventlog")),
            new EventLogParts("eventlog", List.of("d/eventlog")));
  }

  @Test
  void partsAreOrderedByTheirNumbers() {
    List<EventLogParts> logs =
        EventLogParts.of(
            List.of(
                "b/eventlog_v2_app/events_10_app.zstd",
                "b/eventlog_v2_app/events_9_app.zstd",
                "b/eventlog_v2_app/events_8_app.zstd",
                "b/eventlog_v2_app/events_8_app.zstd.compact",
                "b/eventlog_v2_app/events_2_app.zstd",
                "eventlog_v2_other/events_1_other",
                "b/app-1.lz4"));
    assertThat(logs)
        .containsExactly(
            new EventLogParts("app-1.lz4", List.of("b/app-1.lz4")),
            new EventLogParts(
                "eventlog_v2_app",
                List.of(
                    "b/eventlog_v2_app/events_8_app.zstd.compact",
                    "b/eventlog_v2_app/events_9_app.zstd",
                    "b/eventlog_v2_app/events_10_app.zstd")),
            new EventLogParts("eventlog_v2_other", List.of("eventlog_v2_other/events_1_other")));
    assertThat(EventLogParts.isPart("b/eventlog_v2_app/appstatus_app.inprogress")).isFalse();
  }

  @Test
  void aLogIsKnownByItsEvents() {
    assertThat(SparkEventLog.matches(head(String.join("\n", Events.run())))).isTrue();
    assertThat(SparkEventLog.matches(head(Events.driver(1, "[1,2]")))).isTrue();
    assertThat(SparkEventLog.matches(head("{\"Event\":\"Click\"}\n"))).isFalse();
    assertThat(SparkEventLog.matches(head(""))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void anyDamageLeavesTables(long seed) {
    SplittableRandom chance = new SplittableRandom(seed);
    for (int round = 0; round < 100; round++) {
      List<String> lines = new ArrayList<>(Events.run());
      lines.add(Events.progress("\"addBatch\":1", ",\"stateOperators\":[{\"commitTimeMs\":3}]"));
      byte[] text = String.join("\n", lines).getBytes(UTF_8);
      for (int i = chance.nextInt(40); i >= 0; i--) {
        text[chance.nextInt(text.length)] =
            (byte) "{}[]\":,0-9eEnull\n\u00ff".charAt(chance.nextInt(17));
      }
      byte[] cut = chance.nextBoolean() ? text : Arrays.copyOf(text, chance.nextInt(text.length));
      try {
        SparkRun run = new SparkRun("log");
        run.read(new ByteArrayInputStream(cut), new ParseStatistics());
        SparkRuns runs = new SparkRuns();
        runs.add(run);
        assertThat(runs.tables()).hasSize(7);
      } catch (IOException | RuntimeException e) {
        throw new AssertionError(
            "seed %d, round %d: surefire:test -Dtest=SparkRunTest#anyDamageLeavesTables"
                .formatted(seed, round),
            e);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1e400", "-5", "99999999999999999999999", "\"NaN\"", "true", "{}", "[1]", "null"})
  void oddNumbersAreHarmless(String number) throws IOException {
    List<String> lines = new ArrayList<>(Events.run());
    lines.replaceAll(
        line -> line.replaceAll("(?<=\":)\\d+", number).replaceAll("(?<=[\\[,])\\d+", "7"));
    assertThat(table("spark_apps", lines).rows()).hasSize(1);
  }

  private static Head head(String text) {
    return Head.of(text.getBytes(UTF_8));
  }

  private SparkRun read(String file, List<String> lines) throws IOException {
    SparkRun run = new SparkRun(file);
    run.read(new ByteArrayInputStream(String.join("\n", lines).getBytes(UTF_8)), statistics);
    return run;
  }

  private Table table(String id, List<String> lines) throws IOException {
    SparkRuns runs = new SparkRuns();
    runs.add(read("log", lines));
    return runs.tables().stream().filter(table -> table.id().equals(id)).findFirst().orElseThrow();
  }
}
