-- T14 jobs: Jobs
-- columns: app_id text, name text, spark_version text, started time, ended time, elapsed_ms millis,
-- attempts count, state text, joined_by text
select
  app_id, name, spark_version, started, ended, elapsed_ms, attempts,
  case when complete then 'ended' else 'its log has no end' end, joined_by
from s3_applications
order by
  case joined_by when 'name' then 1 when 'time' then 2 else 3 end, named_requests desc,
  started nulls last, app_id nulls last, ended nulls last
