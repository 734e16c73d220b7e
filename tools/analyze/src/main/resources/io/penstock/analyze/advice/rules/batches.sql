-- batches Streaming queries: what their checkpoints take of their time
-- columns: query_id text, name text, batches count, trigger_ms millis, wal_ms millis,
--   commit_ms millis, state_commit_ms millis, first time, last time
-- state_commit_ms is the sum over all tasks, not a time on the clock.
select b.query_id, max(b.name) as name, count(*) as batches,
  cast(sum(b.trigger_ms) as double), cast(sum(b.wal_ms) as double),
  cast(sum(b.commit_ms) as double), cast(sum(b.state_commit_ms) as double),
  min(b.started), max(b.started)
from spark_batches b join advised_app a on a.app_id = b.app_id
group by b.query_id
order by count(*) desc, b.query_id
