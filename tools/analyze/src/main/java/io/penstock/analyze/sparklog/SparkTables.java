/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.sparklog;

import static io.penstock.tables.Kind.BYTES;
import static io.penstock.tables.Kind.COUNT;
import static io.penstock.tables.Kind.DOLLARS;
import static io.penstock.tables.Kind.FLAG;
import static io.penstock.tables.Kind.MILLIS;
import static io.penstock.tables.Kind.TEXT;
import static io.penstock.tables.Kind.TIME;

import io.penstock.tables.TableShape;
import java.time.Duration;
import java.time.Instant;

/** The tables of event logs: their columns, and where the values are from. */
final class SparkTables {
  /** An application, with the number of its attempts. */
  record App(SparkRun run, long attempts) {}

  /** A setting of a run. */
  record Set(SparkRun run, SparkRun.Setting setting, String value) {}

  /** An executor of a run. */
  record Executor(SparkRun run, String id, ExecutorFacts facts, TaskSums sums) {}

  /** A stage of a run. */
  record Stage(SparkRun run, StageId id, StageFacts facts, TaskSums sums) {
    /** Returns a quantile of the tasks that came to their end; null if there are none. */
    Double quantile(double share) {
      return facts.durations.isEmpty() ? null : (Double) facts.durations.quantile(share);
    }

    /** Returns the one executor that had all the slow tasks; null if there is none such. */
    String slowExecutor() {
      return facts.durations.isEmpty()
          ? null
          : facts.longest.slowExecutor(facts.durations.quantile(0.5)).orElse(null);
    }

    Double longest() {
      return facts.durations.isEmpty() ? null : (Double) facts.durations.longest();
    }
  }

  /** A batch of a run. */
  record OneBatch(SparkRun run, Batch batch) {}

  /** An execution of a query. */
  record Query(SparkRun run, long id, SqlFacts.Execution facts) {}

  static final TableShape<App> APPS =
      new TableShape<App>("spark_apps", "Spark applications")
          .with("app_id", TEXT, app -> app.run.app())
          .with("name", TEXT, app -> app.run.name)
          .with("spark_version", TEXT, app -> app.run.version)
          .with("started", TIME, app -> app.run.started)
          .with("ended", TIME, app -> app.run.ended)
          .with("elapsed_ms", MILLIS, app -> between(app.run.started, app.run.ended))
          .with("complete", FLAG, app -> app.run.ended != null)
          .with("attempts", COUNT, App::attempts)
          .with("file", TEXT, app -> app.run.file)
          .with("jobs", COUNT, app -> app.run.jobs)
          .with("failed_jobs", COUNT, app -> app.run.failedJobs)
          .with("failure", TEXT, app -> app.run.failure)
          .with("task_cpus", COUNT, app -> app.run.coresOfTask())
          .with("schemes", TEXT, app -> app.run.sql.schemes());

  static final TableShape<Set> SETTINGS =
      new TableShape<Set>("spark_settings", "Settings of Spark")
          .with("app_id", TEXT, one -> one.run.app())
          .with("kind", TEXT, one -> one.setting.kind())
          .with("name", TEXT, one -> one.setting.name())
          .with("value", TEXT, Set::value);

  static final TableShape<Executor> EXECUTORS =
      new TableShape<Executor>("spark_executors", "Executors")
          .with("app_id", TEXT, one -> one.run.app())
          .with("exec_id", TEXT, Executor::id)
          .with("host", TEXT, one -> one.facts.host)
          .with("cores", COUNT, one -> one.facts.cores)
          .with("added", TIME, one -> one.facts.added)
          .with("removed", TIME, one -> one.facts.removed)
          .with("until", TIME, one -> one.run.until(one.facts))
          .with("removed_reason", TEXT, one -> one.facts.removedReason)
          .with("tasks", COUNT, one -> one.sums.tasks)
          .with("failed_tasks", COUNT, one -> one.sums.failed)
          .with("run_ms", MILLIS, one -> one.sums.runMillis)
          .with("cpu_ms", MILLIS, one -> one.sums.cpuMillis())
          .with("gc_ms", MILLIS, one -> one.sums.gcMillis)
          .with("input_bytes", BYTES, one -> one.sums.inputBytes)
          .with("output_bytes", BYTES, one -> one.sums.outputBytes)
          .with("peak_heap_bytes", BYTES, one -> one.facts.peakHeap)
          .with("peak_offheap_bytes", BYTES, one -> one.facts.peakOffHeap)
          .with("peak_rss_bytes", BYTES, one -> one.facts.peakRss)
          .with("lost", FLAG, one -> one.facts.isLost())
          .with("held_ms", MILLIS, one -> one.sums.heldMillis);

  static final TableShape<Stage> STAGES =
      new TableShape<Stage>("spark_stages", "Stages")
          .with("app_id", TEXT, stage -> stage.run.app())
          .with("stage_id", COUNT, stage -> stage.id.stage())
          .with("attempt", COUNT, stage -> stage.id.attempt())
          .with("name", TEXT, stage -> stage.facts.name)
          .with("submitted", TIME, stage -> stage.facts.submitted)
          .with("completed", TIME, stage -> stage.facts.completed)
          .with(
              "elapsed_ms", MILLIS, stage -> between(stage.facts.submitted, stage.facts.completed))
          .with("tasks", COUNT, stage -> stage.sums.tasks)
          .with("failed_tasks", COUNT, stage -> stage.sums.failed)
          .with("speculative_tasks", COUNT, stage -> stage.sums.speculative)
          .with("run_ms", MILLIS, stage -> stage.sums.runMillis)
          .with("cpu_ms", MILLIS, stage -> stage.sums.cpuMillis())
          .with("gc_ms", MILLIS, stage -> stage.sums.gcMillis)
          .with("input_bytes", BYTES, stage -> stage.sums.inputBytes)
          .with("input_records", COUNT, stage -> stage.sums.inputRecords)
          .with("empty_tasks", COUNT, stage -> stage.facts.emptyTasks())
          .with("output_bytes", BYTES, stage -> stage.sums.outputBytes)
          .with("output_records", COUNT, stage -> stage.sums.outputRecords)
          .with("shuffle_read_bytes", BYTES, stage -> stage.sums.shuffleReadBytes)
          .with("shuffle_write_bytes", BYTES, stage -> stage.sums.shuffleWriteBytes)
          .with("task_p50_ms", MILLIS, stage -> stage.quantile(0.5))
          .with("task_p95_ms", MILLIS, stage -> stage.quantile(0.95))
          .with("task_max_ms", MILLIS, Stage::longest)
          .with("scan_ms", MILLIS, stage -> stage.facts.scanMillis)
          .with("files_read", COUNT, stage -> stage.facts.filesRead)
          .with("files_read_bytes", BYTES, stage -> stage.facts.filesReadBytes)
          .with("files_written", COUNT, stage -> stage.facts.filesWritten)
          .with("written_bytes", BYTES, stage -> stage.facts.writtenBytes)
          .with("commit_ms", MILLIS, stage -> stage.facts.commitMillis)
          .with("killed_tasks", COUNT, stage -> stage.sums.killed)
          .with("start_ms", MILLIS, stage -> stage.sums.startMillis)
          .with("shuffle_wait_ms", MILLIS, stage -> stage.sums.shuffleWaitMillis)
          .with("shuffle_read_records", COUNT, stage -> stage.sums.shuffleReadRecords)
          .with("shuffle_write_records", COUNT, stage -> stage.sums.shuffleWriteRecords)
          .with("result_bytes", BYTES, stage -> stage.sums.resultBytes)
          .with("memory_spill_bytes", BYTES, stage -> stage.sums.memorySpillBytes)
          .with("disk_spill_bytes", BYTES, stage -> stage.sums.diskSpillBytes)
          .with("peak_execution_bytes", BYTES, stage -> stage.sums.peakExecutionBytes)
          .with("shuffle_remote_bytes", BYTES, stage -> stage.sums.shuffleRemoteBytes)
          .with("parts_written", COUNT, stage -> stage.facts.partsWritten)
          .with("shuffle_write_ms", MILLIS, stage -> stage.sums.shuffleWriteNanos / 1e6)
          .with("result_ms", MILLIS, stage -> stage.sums.resultMillis)
          .with("failure", TEXT, stage -> stage.facts.failure)
          .with("first_error", TEXT, stage -> stage.facts.firstError)
          .with("description", TEXT, stage -> stage.run.sql.description(stage.id))
          .with("held_ms", MILLIS, stage -> stage.sums.heldMillis)
          .with("longest_bytes", BYTES, stage -> stage.facts.longest.bytes().orElse(null))
          .with("slow_executor", TEXT, Stage::slowExecutor)
          .with("spilled_tasks", COUNT, stage -> stage.sums.spilledTasks);

  static final TableShape<OneBatch> BATCHES =
      new TableShape<OneBatch>("spark_batches", "Batches of streaming queries")
          .with("app_id", TEXT, one -> one.run.app())
          .with("query_id", TEXT, one -> one.batch.queryId())
          .with("run_id", TEXT, one -> one.batch.runId())
          .with("name", TEXT, one -> one.batch.name())
          .with("batch_id", COUNT, one -> one.batch.batchId())
          .with("started", TIME, one -> one.batch.started())
          .with("trigger_ms", MILLIS, one -> one.batch.triggerMillis())
          .with("wal_ms", MILLIS, one -> one.batch.walMillis())
          .with("commit_ms", MILLIS, one -> one.batch.commitMillis())
          .with("state_commit_ms", MILLIS, one -> one.batch.stateCommitMillis())
          .with("input_rows", COUNT, one -> one.batch.inputRows());

  /** Requests of a run that Penstock's event tells. */
  record Told(SparkRun run, ToldRequests told) {}

  static final TableShape<Told> REQUESTS =
      new TableShape<Told>("spark_requests", "Requests that Penstock's event tells")
          .with("app_id", TEXT, one -> one.run.app())
          .with("what", TEXT, one -> one.told.what())
          .with("name", TEXT, one -> one.told.name())
          .with("told_at", TIME, one -> one.told.at())
          .with("complete", FLAG, one -> one.told.isFinal())
          .with("requests", COUNT, one -> one.told.requests())
          .with("throttled", COUNT, one -> one.told.sum("throttled"))
          .with("failed", COUNT, one -> one.told.sum("failed"))
          .with("received_bytes", BYTES, one -> one.told.sum("receivedBytes"))
          .with("sent_bytes", BYTES, one -> one.told.sum("sentBytes"))
          .with("p50_ms", MILLIS, one -> one.told.p50Millis())
          .with("p99_ms", MILLIS, one -> one.told.p99Millis())
          .with("dollars", DOLLARS, one -> one.told.dollars());

  static final TableShape<Query> SQL =
      new TableShape<Query>("spark_sql", "SQL executions")
          .with("app_id", TEXT, query -> query.run.app())
          .with("execution_id", COUNT, Query::id)
          .with("description", TEXT, query -> query.facts.description)
          .with("started", TIME, query -> query.facts.started)
          .with("ended", TIME, query -> query.facts.ended)
          .with("elapsed_ms", MILLIS, query -> between(query.facts.started, query.facts.ended));

  private SparkTables() {}

  private static Long between(Instant start, Instant end) {
    return start == null || end == null ? null : (Long) Duration.between(start, end).toMillis();
  }
}
