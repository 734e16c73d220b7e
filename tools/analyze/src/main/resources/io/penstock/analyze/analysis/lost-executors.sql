-- T25 lost-executors: Executors that were lost
-- columns: executor text, lost_at time, reason text, host text, lived_ms millis, tasks count,
-- failed_tasks count, peak_heap bytes, app_id text
select
  exec_id, removed, removed_reason, host, cast(unix_millis(removed) - unix_millis(added) as double),
  tasks, failed_tasks, nullif(peak_heap_bytes, 0), app_id
from spark_executors
where lost
order by removed, app_id, exec_id
