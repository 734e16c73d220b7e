-- troubles What troubled stages, the longest work first
-- columns: stage_id count, name text, tasks count, elapsed_ms millis, run_ms millis,
--   task_p50_ms millis, task_max_ms millis, shuffle_read_bytes bytes, disk_spill_bytes bytes,
--   input_bytes bytes, files_read count, held_ms millis, longest_bytes bytes,
--   slow_executor text, slow_host text, spilled_tasks count
select s.stage_id, s.name, s.tasks, s.elapsed_ms, s.run_ms, s.task_p50_ms, s.task_max_ms,
  s.shuffle_read_bytes, s.disk_spill_bytes, s.input_bytes, s.files_read,
  greatest(s.held_ms, s.run_ms), s.longest_bytes, s.slow_executor,
  (select min(e.host) from spark_executors e
    where e.app_id = s.app_id and e.exec_id = s.slow_executor),
  s.spilled_tasks
from spark_stages s join advised_app a on a.app_id = s.app_id
order by s.run_ms desc nulls last, s.stage_id, s.attempt
limit 2000
