-- T23 job-facts: Facts of each job
-- columns: app_id text, jobs count, failed_jobs count, stages count, failed_stages count, tasks count,
-- failed_tasks count, killed_tasks count, speculative_tasks count, executors count, lost_executors count,
-- cores_idle_percent percent, task_time_ms millis, cpu_percent percent, gc_percent percent,
-- scan_percent percent, shuffle_wait_percent percent, shuffle_write_percent percent,
-- task_start_percent percent, result_percent percent, input bytes,
-- input_records count, output bytes, output_records count, shuffle_read bytes,
-- shuffle_remote_read bytes, shuffle_write bytes,
-- result bytes, memory_spill bytes, disk_spill bytes, peak_execution_memory bytes, files_read count,
-- files_read_size bytes, files_written count, mean_file_written bytes, failure text
-- Percentages are of the time in which tasks ran, those of their starts and results of the time for
-- which they had their cores. The cores are idle while no task has them, from an executor's start to
-- its end; in a log without an end, tasks that ran at its end are missing.
with stages as (
  select
    app_id,
    count(*) as stages,
    count(*) filter (where failure is not null) as failed_stages,
    sum(tasks) as tasks,
    sum(failed_tasks) as failed_tasks,
    sum(killed_tasks) as killed_tasks,
    sum(speculative_tasks) as speculative_tasks,
    sum(run_ms) as run_ms,
    sum(greatest(held_ms, run_ms)) as held_ms,
    sum(cpu_ms) as cpu_ms,
    sum(gc_ms) as gc_ms,
    sum(scan_ms) as scan_ms,
    sum(shuffle_wait_ms) as shuffle_wait_ms,
    sum(shuffle_write_ms) as shuffle_write_ms,
    sum(result_ms) as result_ms,
    sum(shuffle_remote_bytes) as shuffle_remote_bytes,
    sum(start_ms) as start_ms,
    sum(input_bytes) as input_bytes,
    sum(files_read_bytes) as files_read_bytes,
    sum(input_records) as input_records,
    sum(greatest(output_bytes, written_bytes)) as output_bytes,
    sum(output_records) as output_records,
    sum(shuffle_read_bytes) as shuffle_read_bytes,
    sum(shuffle_write_bytes) as shuffle_write_bytes,
    sum(result_bytes) as result_bytes,
    sum(memory_spill_bytes) as memory_spill_bytes,
    sum(disk_spill_bytes) as disk_spill_bytes,
    max(peak_execution_bytes) as peak_execution_bytes,
    sum(files_read) as files_read,
    sum(files_written) as files_written,
    sum(written_bytes) as written_bytes
  from spark_stages
  group by app_id
),
executors as (
  select
    e.app_id,
    count(*) as executors,
    count(*) filter (where e.lost) as lost,
    sum(e.cores * cast(unix_millis(e.until) - unix_millis(e.added) as double)) as core_ms
  from spark_executors e
  where e.exec_id <> 'driver' or e.tasks > 0
  group by e.app_id
)
select
  a.app_id, a.jobs, a.failed_jobs, s.stages, s.failed_stages, cast(s.tasks as bigint),
  cast(s.failed_tasks as bigint), cast(s.killed_tasks as bigint),
  cast(s.speculative_tasks as bigint), e.executors, e.lost,
  case when e.core_ms > 0 and a.complete then
    greatest(0.0, 100 - 100.0 * s.held_ms * coalesce(a.task_cpus, 1) / e.core_ms) end,
  s.run_ms,
  case when s.cpu_ms > 0 and s.run_ms > 0 then least(100.0, 100.0 * s.cpu_ms / s.run_ms) end,
  100.0 * s.gc_ms / nullif(s.run_ms, 0),
  100.0 * s.scan_ms / nullif(s.run_ms, 0), 100.0 * s.shuffle_wait_ms / nullif(s.run_ms, 0),
  100.0 * s.shuffle_write_ms / nullif(s.run_ms, 0), 100.0 * s.start_ms / nullif(s.held_ms, 0),
  100.0 * s.result_ms / nullif(s.held_ms, 0),
  cast(s.input_bytes as bigint), cast(s.input_records as bigint), cast(s.output_bytes as bigint),
  cast(s.output_records as bigint), cast(s.shuffle_read_bytes as bigint),
  cast(s.shuffle_remote_bytes as bigint),
  cast(s.shuffle_write_bytes as bigint), cast(s.result_bytes as bigint),
  cast(s.memory_spill_bytes as bigint), cast(s.disk_spill_bytes as bigint), s.peak_execution_bytes,
  cast(s.files_read as bigint), cast(s.files_read_bytes as bigint),
  cast(s.files_written as bigint),
  cast(round(s.written_bytes / nullif(s.files_written, 0)) as bigint),
  a.failure
from spark_apps a
left join stages s on s.app_id = a.app_id
left join executors e on e.app_id = a.app_id
order by a.started, a.app_id
