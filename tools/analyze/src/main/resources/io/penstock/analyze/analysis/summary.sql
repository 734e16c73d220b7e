-- T1 summary: Summary
-- columns: started time, ended time, elapsed_s seconds, requests count, logical_requests count,
-- throttled count, throttled_percent percent, writes count, throttled_writes count,
-- throttled_writes_percent percent, other_5xx count, failed count, bytes_in bytes, bytes_out bytes,
-- buckets count, prefixes count
select
  min(second),
  max(second),
  cast(unix_millis(max(second)) - unix_millis(min(second)) + 1000 as double) / 1000,
  cast(sum(requests) as bigint),
  cast(sum(requests) as bigint)
    - (select cast(coalesce(sum(attempts - 1), 0) as bigint) from s3_chains),
  cast(sum(throttled) as bigint),
  100.0 * sum(throttled) / sum(requests),
  cast(coalesce(sum(requests) filter (where class = 'W'), 0) as bigint),
  cast(coalesce(sum(throttled) filter (where class = 'W'), 0) as bigint),
  100.0 * sum(throttled) filter (where class = 'W') / sum(requests) filter (where class = 'W'),
  cast(sum(unavailable) as bigint),
  cast(sum(failed) - sum(throttled) - sum(unavailable) as bigint),
  cast(sum(bytes_in) as bigint),
  cast(sum(bytes_out) as bigint),
  count(distinct bucket),
  (select count(*) from s3_by_dir)
from s3_by_second
having count(*) > 0
