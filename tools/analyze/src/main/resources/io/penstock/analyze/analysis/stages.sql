-- T12 stages: Stages
-- columns: stage text, name text, tasks count, elapsed_ms millis, run_ms millis, cpu_percent percent,
-- scan_percent percent, read bytes, written bytes, shuffle_read bytes, gets count, mean_get_bytes bytes, writes count, throttled count
with stages as (
  select
    app_id, stage_id, attempt, coalesce(description, name) as name, tasks, submitted, completed,
    elapsed_ms, run_ms, cpu_ms, scan_ms, greatest(input_bytes, files_read_bytes) as bytes_read,
    greatest(output_bytes, written_bytes) as bytes_written, shuffle_read_bytes
  from spark_stages
  where submitted is not null
)
select
  cast(s.stage_id as string) || '.' || cast(s.attempt as string),
  max(s.name), max(s.tasks), max(s.elapsed_ms), max(s.run_ms),
  case when max(s.run_ms) > 0 then 100.0 * max(s.cpu_ms) / max(s.run_ms) end,
  case when max(s.run_ms) > 0 then 100.0 * max(s.scan_ms) / max(s.run_ms) end,
  max(s.bytes_read), max(s.bytes_written), max(s.shuffle_read_bytes),
  cast(coalesce(sum(r.requests) filter (where r.api = 'GetObject'), 0) as bigint),
  cast(round(sum(r.bytes_out) filter (where r.api = 'GetObject')
    / nullif(sum(r.requests) filter (where r.api = 'GetObject'), 0)) as bigint),
  cast(coalesce(sum(r.requests) filter (where r.class = 'W'), 0) as bigint),
  cast(coalesce(sum(r.throttled), 0) as bigint)
from stages s
left join s3_by_second r
  on r.second >= date_trunc('second', s.submitted) and r.second <= coalesce(s.completed, s.submitted)
group by s.app_id, s.stage_id, s.attempt
order by max(s.elapsed_ms) desc, s.app_id, s.stage_id, s.attempt
limit 100000
