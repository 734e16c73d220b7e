/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules;

import io.penstock.tables.Table;

/** The totals over all stages of a job, and the reading stage with the most work. */
record Stages(
    double runMs,
    double scanMs,
    long filesRead,
    long filesReadBytes,
    long filesWritten,
    long writtenBytes,
    Scan scan) {

  /** A stage that reads files. All numbers are zero if there is none. */
  record Scan(
      long id, long tasks, long emptyTasks, double taskMedianMs, long bytes, double elapsedMs) {
    static final Scan NONE = new Scan(-1, 0, 0, 0, 0, 0);
  }

  static Stages of(Table table) {
    double run = 0;
    double scanMs = 0;
    long read = 0;
    long readBytes = 0;
    long written = 0;
    long writtenBytes = 0;
    Scan scan = Scan.NONE;
    for (int row = 0; row < table.rows().size(); row++) {
      run += table.number(row, "run_ms");
      scanMs += table.number(row, "scan_ms");
      read += table.count(row, "files_read");
      readBytes += table.count(row, "files_read_bytes");
      written += table.count(row, "files_written");
      writtenBytes += table.count(row, "written_bytes");
      // The rows are ordered by work, most first. The bytes read by tasks are wrong with vectored
      // reads (Spark 4.1), and count what came from a cache: the sizes of the files are used.
      boolean reads = table.count(row, "files_read") > 0 || table.count(row, "input_bytes") > 0;
      if (reads && scan.tasks() == 0) {
        scan =
            new Scan(
                table.count(row, "stage_id"),
                table.count(row, "tasks"),
                table.count(row, "empty_tasks"),
                table.number(row, "task_p50_ms"),
                table.count(row, "files_read_bytes"),
                table.number(row, "elapsed_ms"));
      }
    }
    return new Stages(run, scanMs, read, readBytes, written, writtenBytes, scan);
  }

  double scanPercent() {
    return runMs == 0 ? 0 : 100 * scanMs / runMs;
  }
}
