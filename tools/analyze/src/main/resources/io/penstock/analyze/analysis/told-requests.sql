-- T28 told-requests: Requests that Penstock told in the event log
-- columns: of text, name text, requests count, throttled count, failed count, received bytes,
-- sent bytes, p50 millis, p99 millis, cost dollars, told_at time, app_id text
-- The last event of an application has all since its start; the first five of each sort while it
-- runs, 150 at its end.
select
  what, name, requests, throttled, failed, received_bytes, sent_bytes, p50_ms, p99_ms, dollars, told_at, app_id
from spark_requests
order by
  app_id,
  case what
    when 'all' then 0 when 'operation' then 1 when 'query' then 2 when 'stage' then 3 when 'path' then 4 else 5
  end,
  requests desc, name
