-- Chains of more than one attempt, one row each. A chain is plain if all its attempts surely are of one
-- request: they end with the only success or without one, lie within 120 s, and none overlaps the next.
select
  chain, attempts, throttled, oks, first_start, last_end,
  unix_millis(last_start) - unix_millis(first_start) as waited_ms,
  ok_status, worst_status, served_ms,
  case
    when busy = 0 and unix_seconds(last_start) - unix_seconds(first_start) <= 120
      and (oks = 0 or (oks = 1 and ok_start = last_start)) then 1
    else 0
  end as plain
from (
  select
    chain,
    count(*) as attempts,
    cast(sum(throttled) as bigint) as throttled,
    cast(sum(ok) as bigint) as oks,
    min(ts_start) as first_start,
    max(ts_start) as last_start,
    max(ts_end) as last_end,
    max(case when ok = 1 then ts_start end) as ok_start,
    max(case when ok = 1 then status end) as ok_status,
    max(status) as worst_status,
    sum(cast(total_us as double)) / 1000.0 as served_ms,
    max(case
      when source in ('client_log', 'request_log') and ts_end > ts_start then 1
      when ts_end > ts_start + interval '1' second then 1
      else 0
    end) as busy
  from s3_attempts
  group by chain
  having count(*) > 1 and max(telling) = 1
) chains
