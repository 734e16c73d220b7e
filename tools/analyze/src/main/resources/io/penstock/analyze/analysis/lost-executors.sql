-- T25 lost-executors: Executors that were lost
-- columns: app_id text, executor text, host text, lost_at time, lived_ms millis, tasks count,
-- failed_tasks count, peak_heap bytes, reason text
select
  app_id, exec_id, host, removed, cast(unix_millis(removed) - unix_millis(added) as double), tasks,
  failed_tasks, nullif(peak_heap_bytes, 0), removed_reason
from spark_executors
where lost
order by removed, app_id, exec_id
