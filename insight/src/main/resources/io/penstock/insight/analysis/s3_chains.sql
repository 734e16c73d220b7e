-- Requests that were tried more than once, one row each.
select
  chain,
  segment,
  min(bucket) as bucket,
  min(key) as key,
  min(api) as api,
  min(class) as class,
  min(part_no) as part_no,
  min(ts_start) as first_start,
  max(coalesce(ts_end, ts_start)) as last_end,
  count(*) as attempts,
  count(*) filter (where throttled) as throttled,
  count(*) filter (where ok = 0) as failed,
  cast(sum(overlapping) as bigint) as overlapping,
  max(ok) as ok,
  unix_millis(coalesce(max(ts_start) filter (where ok = 1), max(ts_start)))
    - unix_millis(min(ts_start)) as waited_ms,
  max(status) filter (where ok = 1) as ok_status,
  max(status) as worst_status,
  sum(total_ms) as served_ms
from s3_attempts
group by chain, segment
having count(*) > 1
