/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** Creates rows in the column order of {@link SparkTables}. */
final class SparkRows {
  private SparkRows() {}

  static List<Object> app(SparkRun run, Long attempts) {
    return row(
        run.app(),
        run.name,
        run.version,
        run.started,
        run.ended,
        between(run.started, run.ended),
        run.ended != null,
        attempts,
        run.file,
        run.jobs,
        run.failedJobs,
        run.failure,
        run.coresOfTask());
  }

  static List<Object> setting(SparkRun run, SparkRun.Setting setting, String value) {
    return row(run.app(), setting.kind(), setting.name(), value);
  }

  static List<Object> executor(SparkRun run, String id, ExecutorFacts executor) {
    TaskSums sums = executor.sums;
    return row(
        run.app(),
        id,
        executor.host,
        executor.cores,
        executor.added,
        executor.removed,
        run.until(executor),
        executor.removedReason,
        sums.tasks,
        sums.failed,
        (double) sums.runMillis,
        sums.cpuMillis(),
        (double) sums.gcMillis,
        sums.inputBytes,
        sums.outputBytes,
        executor.peakHeap,
        executor.peakOffHeap,
        executor.peakRss,
        executor.isLost());
  }

  static List<Object> stage(SparkRun run, StageId id, StageFacts stage) {
    TaskSums sums = stage.sums;
    return row(
        run.app(),
        id.stage(),
        id.attempt(),
        stage.name,
        stage.submitted,
        stage.completed,
        between(stage.submitted, stage.completed),
        sums.tasks,
        sums.failed,
        sums.speculative,
        (double) sums.runMillis,
        sums.cpuMillis(),
        (double) sums.gcMillis,
        sums.inputBytes,
        sums.inputRecords,
        stage.emptyTasks(),
        sums.outputBytes,
        sums.outputRecords,
        sums.shuffleReadBytes,
        sums.shuffleWriteBytes,
        quantile(stage, 0.5),
        quantile(stage, 0.95),
        stage.durations.isEmpty() ? null : (Double) stage.durations.longest(),
        (double) stage.scanMillis,
        stage.filesRead,
        stage.filesReadBytes,
        stage.filesWritten,
        stage.writtenBytes,
        (double) stage.commitMillis,
        sums.killed,
        (double) sums.startMillis,
        (double) sums.shuffleWaitMillis,
        sums.shuffleReadRecords,
        sums.shuffleWriteRecords,
        sums.resultBytes,
        sums.memorySpillBytes,
        sums.diskSpillBytes,
        sums.peakExecutionBytes,
        sums.shuffleRemoteBytes,
        stage.partsWritten,
        sums.shuffleWriteNanos / 1e6,
        (double) sums.resultMillis,
        stage.failure,
        stage.firstError,
        run.sql.description(id));
  }

  static List<Object> batch(SparkRun run, Batch batch) {
    Long state = batch.stateCommitMillis();
    return row(
        run.app(),
        batch.queryId(),
        batch.runId(),
        batch.name(),
        batch.batchId(),
        batch.started(),
        (double) batch.triggerMillis(),
        (double) batch.walMillis(),
        (double) batch.commitMillis(),
        state == null ? null : Double.valueOf(state),
        batch.inputRows());
  }

  static List<Object> execution(SparkRun run, long id, SqlFacts.Execution execution) {
    return row(
        run.app(),
        id,
        execution.description,
        execution.started,
        execution.ended,
        between(execution.started, execution.ended));
  }

  /** Returns a quantile of the tasks that came to their end; null if there are none. */
  private static Double quantile(StageFacts stage, double share) {
    return stage.durations.isEmpty() ? null : (Double) stage.durations.quantile(share);
  }

  private static Double between(Instant start, Instant end) {
    return start == null || end == null ? null : (double) Duration.between(start, end).toMillis();
  }

  /** Returns a list of the values. Unlike {@link List#of}, it allows null. */
  private static List<Object> row(Object... values) {
    return Arrays.asList(values);
  }
}
