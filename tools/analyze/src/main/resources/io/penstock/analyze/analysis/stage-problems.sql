-- T24 stage-problems: Stages with failures, skew, spill or much garbage collection
-- columns: stage text, problem text, error text, name text, tasks count, failed_tasks count,
-- skew number, task_p50_ms millis, task_max_ms millis, gc_percent percent, memory_spill bytes,
-- disk_spill bytes, speculative_tasks count, app_id text
-- skew is the longest task over the median one; it is a problem if the longest takes five times as
-- long and ten seconds more.
with judged as (
  select
    *,
    task_max_ms / nullif(task_p50_ms, 0) as skew,
    case when task_max_ms >= 5 * task_p50_ms and task_max_ms - task_p50_ms >= 10000 then 1 else 0 end
      as is_skewed,
    case when gc_ms >= 0.1 * run_ms and gc_ms >= 10000 then 1 else 0 end as is_collecting
  from spark_stages
)
select
  cast(stage_id as string) || '.' || cast(attempt as string),
  case
    when failure is not null then 'failed'
    when failed_tasks > 0 then 'failed tasks'
    when is_skewed = 1 then 'skew'
    when disk_spill_bytes > 0 then 'spill'
    else 'garbage collection'
  end,
  coalesce(first_error, failure), coalesce(description, name),
  tasks, failed_tasks, skew, task_p50_ms, task_max_ms, 100.0 * gc_ms / nullif(run_ms, 0),
  memory_spill_bytes, disk_spill_bytes, speculative_tasks, app_id
from judged
where failure is not null or failed_tasks > 0 or is_skewed = 1 or disk_spill_bytes > 0
  or is_collecting = 1
order by
  case when failure is not null then 0 when failed_tasks > 0 then 1 else 2 end,
  run_ms desc, app_id, stage_id, attempt
