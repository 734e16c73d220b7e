/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.input.ParseStatistics;
import io.penstock.tables.Table;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Facts about stages that their queries, jobs and failed tasks tell. */
class SqlFactsTest {
  @Test
  void filesOfAnOperatorWithoutTaskMetricsGoToTheLastStage() throws IOException {
    Table stages =
        table(
            "spark_stages",
            List.of(
                Events.plan(
                    "SparkListenerSQLExecutionStart", 3, Events.metric(14, "written output")),
                Events.of(
                    "SparkListenerJobStart",
                    "\"Stage IDs\":[5,6],\"Properties\":{\"spark.sql.execution.id\":\"3\"}"),
                Events.task(5, "1", 1, "", ""),
                Events.task(6, "1", 1, "", ""),
                Events.driver(3, "[14,77]")));
    assertThat(stages.count(0, "written_bytes")).isEqualTo(0);
    assertThat(stages.count(1, "written_bytes")).isEqualTo(77);
  }

  /** As in Spark's UI: the description of the job, or else that of its query. */
  @Test
  void stagesAreDescribed() throws IOException {
    String plan = Events.plan("SparkListenerSQLExecutionStart", 3, "");
    String ofQuery = "\"spark.sql.execution.id\":\"3\"";
    String ofJob = "\"spark.job.description\":\"nightly load\"";
    Table stages =
        table(
            "spark_stages",
            List.of(
                plan,
                Events.of(
                    "SparkListenerJobStart", "\"Stage IDs\":[5],\"Properties\":{" + ofQuery + "}"),
                Events.of(
                    "SparkListenerJobStart",
                    "\"Stage IDs\":[6],\"Properties\":{" + ofQuery + "," + ofJob + "}"),
                Events.of("SparkListenerJobStart", "\"Stage IDs\":[7],\"Properties\":{}"),
                Events.task(5, "1", 1, "", ""),
                Events.task(6, "1", 1, "", ""),
                Events.task(7, "1", 1, "", "")));
    assertThat(stages.rows().stream().map(row -> row.get(stages.indexOf("description"))))
        .containsExactly("save at J.java:1", "nightly load", null);
  }

  /** Spark's Full Stack Trace has the attempts that the SDK made, which the description has not. */
  @Test
  void answersThatTheErrorOfATaskNamesAreCounted() throws IOException {
    String trace =
        "x\\nCaused by: S3Exception: Slow (Service: S3, Status Code: 503, Request ID: A)\\n\\t"
            + "Suppressed: attempt 1 (Service: S3, Status Code: 503, Request ID: B)";
    String task =
        Events.task(5, "7", 1, "", "")
            .replace(
                "{\"Reason\":\"Success\"}",
                "{\"Reason\":\"ExceptionFailure\",\"Full Stack Trace\":\"" + trace + "\"}");
    Table errors = runs(List.of(task, task)).errors().table();
    assertThat(errors.rows()).hasSize(1);
    assertThat(errors.count(0, "answers")).isEqualTo(2);
    assertThat(errors.count(0, "executors")).isEqualTo(1);
  }

  private static Table table(String id, List<String> lines) throws IOException {
    return runs(lines).tables().stream()
        .filter(table -> table.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private static SparkRuns runs(List<String> lines) throws IOException {
    SparkRun run = new SparkRun("log");
    run.read(
        new ByteArrayInputStream(String.join("\n", lines).getBytes(UTF_8)), new ParseStatistics());
    SparkRuns runs = new SparkRuns();
    runs.add(run);
    return runs;
  }
}
