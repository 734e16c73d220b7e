-- P10 stages-over-time: When stages ran
-- columns: stage_id count, attempt count, name text, submitted time, completed time, tasks count, run_ms millis, scan_ms millis
SELECT stage_id, attempt, coalesce(description, name) AS name, submitted, completed, tasks, run_ms, scan_ms
FROM spark_stages
WHERE submitted IS NOT NULL AND completed IS NOT NULL
ORDER BY elapsed_ms DESC, stage_id, attempt
LIMIT 60
