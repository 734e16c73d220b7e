-- stages Stages, the longest work first
-- columns: stage_id count, name text, tasks count, empty_tasks count, elapsed_ms millis,
--   run_ms millis, scan_ms millis, task_p50_ms millis, input_bytes bytes, files_read count,
--   files_read_bytes bytes
select s.stage_id, s.name, s.tasks, s.empty_tasks, s.elapsed_ms, s.run_ms, s.scan_ms,
  s.task_p50_ms, s.input_bytes, s.files_read, s.files_read_bytes
from spark_stages s join advised_app a on a.app_id = s.app_id
order by s.run_ms desc nulls last, s.stage_id, s.attempt
limit 2000
