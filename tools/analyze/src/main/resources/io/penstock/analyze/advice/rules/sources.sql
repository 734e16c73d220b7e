-- sources Logs with requests in them
-- columns: source text, requests count, with_latency count, subsecond count, audited count,
--   first time, last time
select source, cast(sum(requests) as bigint) as requests,
  cast(sum(timed) as bigint) as with_latency, cast(sum(subsecond) as bigint) as subsecond,
  cast(sum(audited) as bigint) as audited, min(first_start), max(last_start)
from s3_cells
group by source
order by source
