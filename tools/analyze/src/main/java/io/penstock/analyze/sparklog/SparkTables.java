/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import static io.penstock.tables.Kind.BYTES;
import static io.penstock.tables.Kind.COUNT;
import static io.penstock.tables.Kind.FLAG;
import static io.penstock.tables.Kind.MILLIS;
import static io.penstock.tables.Kind.TEXT;
import static io.penstock.tables.Kind.TIME;

import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import java.util.ArrayList;
import java.util.List;

/** The tables and their columns. Queries use the names of the columns. */
enum SparkTables {
  APPS(
      "spark_apps",
      "Spark applications",
      columns("app_id name spark_version", TEXT),
      columns("started ended", TIME),
      columns("elapsed_ms", MILLIS),
      columns("complete", FLAG),
      columns("attempts", COUNT),
      columns("file", TEXT),
      columns("jobs failed_jobs", COUNT),
      columns("failure", TEXT),
      columns("task_cpus", COUNT)),
  SETTINGS("spark_settings", "Settings of Spark", columns("app_id kind name value", TEXT)),
  EXECUTORS(
      "spark_executors",
      "Executors",
      columns("app_id exec_id host", TEXT),
      columns("cores", COUNT),
      columns("added removed until", TIME),
      columns("removed_reason", TEXT),
      columns("tasks failed_tasks", COUNT),
      columns("run_ms cpu_ms gc_ms", MILLIS),
      columns("input_bytes output_bytes peak_heap_bytes peak_offheap_bytes peak_rss_bytes", BYTES),
      columns("lost", FLAG)),
  STAGES(
      "spark_stages",
      "Stages",
      columns("app_id", TEXT),
      columns("stage_id attempt", COUNT),
      columns("name", TEXT),
      columns("submitted completed", TIME),
      columns("elapsed_ms", MILLIS),
      columns("tasks failed_tasks speculative_tasks", COUNT),
      columns("run_ms cpu_ms gc_ms", MILLIS),
      columns("input_bytes", BYTES),
      columns("input_records empty_tasks", COUNT),
      columns("output_bytes", BYTES),
      columns("output_records", COUNT),
      columns("shuffle_read_bytes shuffle_write_bytes", BYTES),
      columns("task_p50_ms task_p95_ms task_max_ms scan_ms", MILLIS),
      columns("files_read", COUNT),
      columns("files_read_bytes", BYTES),
      columns("files_written", COUNT),
      columns("written_bytes", BYTES),
      columns("commit_ms", MILLIS),
      columns("killed_tasks", COUNT),
      columns("start_ms shuffle_wait_ms", MILLIS),
      columns("shuffle_read_records shuffle_write_records", COUNT),
      columns("result_bytes memory_spill_bytes disk_spill_bytes peak_execution_bytes", BYTES),
      columns("shuffle_remote_bytes", BYTES),
      columns("parts_written", COUNT),
      columns("shuffle_write_ms result_ms", MILLIS),
      columns("failure first_error description", TEXT)),
  BATCHES(
      "spark_batches",
      "Batches of streaming queries",
      columns("app_id query_id run_id name", TEXT),
      columns("batch_id", COUNT),
      columns("started", TIME),
      columns("trigger_ms wal_ms commit_ms state_commit_ms", MILLIS),
      columns("input_rows", COUNT)),
  SQL(
      "spark_sql",
      "SQL executions",
      columns("app_id", TEXT),
      columns("execution_id", COUNT),
      columns("description", TEXT),
      columns("started ended", TIME),
      columns("elapsed_ms", MILLIS));

  private final String id;
  private final String title;

  @SuppressWarnings("ImmutableEnumChecker") // a list that nobody changes
  private final List<Column> columns;

  @SafeVarargs
  SparkTables(String id, String title, List<Column>... parts) {
    this.id = id;
    this.title = title;
    List<Column> all = new ArrayList<>();
    for (List<Column> part : parts) {
      all.addAll(part);
    }
    this.columns = List.copyOf(all);
  }

  private static List<Column> columns(String names, Kind kind) {
    List<Column> columns = new ArrayList<>();
    for (String name : names.split(" ", -1)) {
      columns.add(new Column(name, kind));
    }
    return columns;
  }

  Table of(List<List<Object>> rows) {
    return new Table(id, title, columns, rows);
  }
}
