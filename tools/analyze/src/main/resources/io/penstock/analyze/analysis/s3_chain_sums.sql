-- Chains of more than one attempt, one row each. A chain is plain if all its attempts surely are of one
-- request: they end with the only success or without one, lie within 120 s, and none overlaps the next.
select
  *,
  case
    when busy = 0 and unix_seconds(last_start) - unix_seconds(first_start) <= 120
      and (oks = 0 or (oks = 1 and ok_start = last_start)) then 1
    else 0
  end as plain
from (
  select
    r.chain,
    count(*) as attempts,
    count(*) filter (where r.throttled) as throttled,
    count(*) filter (where r.err is null and coalesce(r.status, 200) < 400) as oks,
    min(r.ts_start) as first_start,
    max(r.ts_start) as last_start,
    max(coalesce(r.ts_end, r.ts_start)) as last_end,
    max(case when r.err is null and coalesce(r.status, 200) < 400 then r.ts_start end) as ok_start,
    max(case when r.err is null and coalesce(r.status, 200) < 400 then r.status end) as ok_status,
    max(r.status) as worst_status,
    sum(r.total_ms) as served_ms,
    max(case
      when r.source in ('client_log', 'request_log') and r.ts_end > r.ts_start then 1
      when r.ts_end > r.ts_start + interval '1' second then 1
      else 0
    end) as busy
  from s3_requests r
  join s3_repeated c on r.chain = c.chain
  where r.ts_start is not null
  group by r.chain
  having count(*) > 1
) chains
