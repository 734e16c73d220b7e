/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.insight.logs;

import io.penstock.insight.table.Column;
import io.penstock.insight.table.Kind;
import io.penstock.insight.table.Table;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Tables of few rows that logs fill beside their requests; each is there, be it empty. */
final class Facts {
  private static final Pattern COMMA = Pattern.compile(", *");
  private static final Map<String, String> COLUMNS = new LinkedHashMap<>();

  static {
    COLUMNS.put(
        "spark_apps",
        "app_id text, name text, spark_version text, started time, ended time, elapsed_ms millis,"
            + " complete flag, attempts count, file text");
    COLUMNS.put("spark_settings", "app_id text, kind text, name text, value text");
    COLUMNS.put(
        "spark_executors",
        "app_id text, exec_id text, host text, cores count, added time, removed time,"
            + " removed_reason text, tasks count, failed_tasks count, run_ms millis, cpu_ms millis,"
            + " gc_ms millis, input_bytes bytes, output_bytes bytes, peak_heap_bytes bytes,"
            + " peak_offheap_bytes bytes, peak_rss_bytes bytes");
    COLUMNS.put(
        "spark_stages",
        "app_id text, stage_id count, attempt count, name text, submitted time, completed time,"
            + " elapsed_ms millis, tasks count, failed_tasks count, speculative_tasks count,"
            + " run_ms millis, cpu_ms millis, gc_ms millis, input_bytes bytes, input_records count,"
            + " empty_tasks count, output_bytes bytes, output_records count,"
            + " shuffle_read_bytes bytes, shuffle_write_bytes bytes, task_p50_ms millis,"
            + " task_p95_ms millis, task_max_ms millis, scan_ms millis, files_read count,"
            + " files_read_bytes bytes, files_written count, written_bytes bytes, commit_ms millis");
    COLUMNS.put(
        "spark_batches",
        "app_id text, query_id text, run_id text, name text, batch_id count, started time,"
            + " trigger_ms millis, wal_ms millis, commit_ms millis, state_commit_ms millis,"
            + " input_rows count");
    COLUMNS.put(
        "spark_sql",
        "app_id text, execution_id count, description text, started time, ended time,"
            + " elapsed_ms millis");
    COLUMNS.put(
        "client_apps",
        "app_id text, started time, ended time, elapsed_ms millis, final_status text,"
            + " attempts count");
    COLUMNS.put(
        "dns_queries", "name text, type text, queries count, nxdomain count, p95_ms millis");
  }

  private final Map<String, Table> tables = new LinkedHashMap<>();

  Facts() {
    COLUMNS.forEach((id, columns) -> add(new Table(id, "", columns(columns), List.of())));
  }

  /** Takes the place of the empty one of the same id. */
  void add(Table table) {
    Table empty = tables.get(table.id());
    if (empty != null && !empty.columns().equals(table.columns())) {
      throw new IllegalArgumentException(
          "%s must have %s, not %s".formatted(table.id(), empty.columns(), table.columns()));
    }
    tables.put(table.id(), table);
  }

  List<Table> all() {
    return List.copyOf(tables.values());
  }

  /** Of all tables that are there once logs were read. */
  static List<String> names() {
    return Stream.concat(Stream.of(LogTables.FILES, LogTables.CASES), COLUMNS.keySet().stream())
        .toList();
  }

  private static List<Column> columns(String text) {
    return Arrays.stream(COMMA.split(text, -1))
        .map(
            column -> {
              int space = column.indexOf(' ');
              String kind = column.substring(space + 1).toUpperCase(Locale.ROOT);
              return new Column(column.substring(0, space), Kind.valueOf(kind));
            })
        .toList();
  }
}
