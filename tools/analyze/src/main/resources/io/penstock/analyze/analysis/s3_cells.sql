-- Requests by second, directory, call and answer: one pass over all requests, from which most other
-- tables are computed. example is the chain of one of the requests.
select
  date_trunc('second', ts_start) as second,
  bucket, dir, api, class, status, err, throttled, source,
  count(*) as requests,
  cast(sum(bytes_in) as bigint) as bytes_in,
  cast(sum(bytes_out) as bigint) as bytes_out,
  count(total_us) as timed,
  count(*) filter (where ts_start <> date_trunc('second', ts_start)) as subsecond,
  count(audited) as audited,
  min(ts_start) as first_start,
  max(ts_start) as last_start,
  min(chain) as example
from s3_requests
group by 1, 2, 3, 4, 5, 6, 7, 8, 9
