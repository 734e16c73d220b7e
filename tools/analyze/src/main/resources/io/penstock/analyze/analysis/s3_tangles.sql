-- Requests of chains that are not plain, one row each. A request ends with a success, unless the next
-- attempt began before that success did end: the client had given up waiting. After 120 s without an
-- attempt, another one is another request. S3's own logs have whole seconds: there, an attempt has
-- surely not ended only until a second before its end, and a success comes last in its second.
with attempts as (
  select
    r.chain, r.ts_start, r.ts_end,
    case
      when r.source in ('client_log', 'request_log') then r.ts_end
      else greatest(r.ts_start, r.ts_end - interval '1' second)
    end as busy_until,
    r.file, r.position, r.status, r.total_us, r.throttled, r.ok
  from s3_attempts r
  join s3_chain_sums c on r.chain = c.chain
  where c.plain = 0
),
followed as (
  select
    *,
    lag(ts_start) over (partition by chain order by ts_start, ok, file, position) as before_start,
    lag(busy_until) over (partition by chain order by ts_start, ok, file, position) as before_end,
    lag(ok) over (partition by chain order by ts_start, ok, file, position) as before_ok
  from attempts
),
cut as (
  select
    *,
    case
      when before_start is null then 1
      when before_ok = 1 and before_end <= ts_start then 1
      when unix_seconds(ts_start) - unix_seconds(before_start) > 120 then 1
      else 0
    end as begins
  from followed
),
segments as (
  select
    *,
    sum(begins) over (
      partition by chain order by ts_start, ok, file, position
      rows between unbounded preceding and current row) as segment
  from cut
)
select
  chain,
  cast(segment as bigint) as segment,
  min(ts_start) as first_start,
  max(ts_end) as last_end,
  count(*) as attempts,
  cast(sum(throttled) as bigint) as throttled,
  cast(sum(1 - ok) as bigint) as failed,
  cast(sum(case when begins = 0 and before_end > ts_start then 1 else 0 end) as bigint) as overlapping,
  max(ok) as ok,
  unix_millis(coalesce(max(case when ok = 1 then ts_start end), max(ts_start)))
    - unix_millis(min(ts_start)) as waited_ms,
  max(case when ok = 1 then status end) as ok_status,
  max(status) as worst_status,
  sum(cast(total_us as double)) / 1000.0 as served_ms
from segments
group by chain, segment
having count(*) > 1
