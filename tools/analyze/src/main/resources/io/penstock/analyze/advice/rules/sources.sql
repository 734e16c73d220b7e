-- sources Logs with requests in them
-- columns: source text, requests count, with_latency count, subsecond count, audited count,
--   first time, last time
select source, count(*) as requests, count(total_ms) as with_latency,
  count(*) filter (where ts_start <> date_trunc('second', ts_start)) as subsecond,
  count(span_id) as audited, min(ts_start), max(ts_start)
from s3_requests
group by source
order by source
