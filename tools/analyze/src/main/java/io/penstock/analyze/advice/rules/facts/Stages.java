/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.facts;

import io.penstock.analyze.advice.Evidence;
import io.penstock.tables.Table;

/**
 * The totals over all stages of a job, and the reading stage with the most work.
 *
 * @param writingStages the number of stages that wrote files
 * @param partsWritten the directories of dynamic partitions, for each stage that wrote to them
 * @param mostParts the most such directories of a stage
 * @param outputBytes that tasks wrote, also where Spark counts no files
 */
public record Stages(
    double runMs,
    double scanMs,
    long filesWritten,
    long writtenBytes,
    long writingStages,
    long partsWritten,
    long mostParts,
    long outputBytes,
    Scan scan) {

  /**
   * The stage that reads files with the most work. All numbers are zero if there is none.
   *
   * @param spilledBytes the most that any stage that reads files has spilled
   */
  public record Scan(
      long id,
      long tasks,
      long emptyTasks,
      double taskMedianMs,
      long bytes,
      double elapsedMs,
      long spilledBytes) {
    static final Scan NONE = new Scan(-1, 0, 0, 0, 0, 0, 0);
  }

  /** Returns the totals of the table of stages. */
  public static Stages of(Evidence evidence) {
    Table all = evidence.table("totals");
    return new Stages(
        all.number(0, "run_ms"),
        all.number(0, "scan_ms"),
        all.count(0, "files_written"),
        all.count(0, "written_bytes"),
        all.count(0, "writing_stages"),
        all.count(0, "parts_written"),
        all.count(0, "most_parts"),
        all.count(0, "output_bytes"),
        scan(evidence.table("stages"), all.count(0, "reading_spill")));
  }

  private static Scan scan(Table stages, long spilled) {
    // The rows are ordered by work, most first. The bytes read by tasks are wrong with vectored
    // reads (Spark 4.1), and count what came from a cache: the sizes of the files are used.
    for (int row = 0; row < stages.rows().size(); row++) {
      if (readsFiles(stages, row)) {
        return new Scan(
            stages.count(row, "stage_id"),
            stages.count(row, "tasks"),
            stages.count(row, "empty_tasks"),
            stages.number(row, "task_p50_ms"),
            stages.count(row, "files_read_bytes"),
            stages.number(row, "elapsed_ms"),
            spilled);
      }
    }
    return Scan.NONE;
  }

  /** Returns true if a stage reads files, or what was cached of them. */
  public static boolean readsFiles(Table stages, int row) {
    return stages.count(row, "files_read") > 0 || stages.count(row, "input_bytes") > 0;
  }

  /** Returns the share of the time of tasks that went into stages that read files, in percent. */
  public double scanPercent() {
    return runMs == 0 ? 0 : 100 * scanMs / runMs;
  }
}
