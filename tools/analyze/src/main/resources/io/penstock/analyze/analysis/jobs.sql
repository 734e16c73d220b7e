-- T14 jobs: Jobs
-- columns: app_id text, name text, spark_version text, started time, ended time, elapsed_ms millis,
-- attempts count, state text
select
  app_id, name, spark_version, started, ended, elapsed_ms, attempts,
  case when complete then 'ended' else 'its log has no end' end
from spark_apps
order by started, app_id
