-- The attempts of requests that were tried more than once. A request ends with a success, unless the
-- next attempt began before that success did end: the client had given up waiting. After 120 s
-- without an attempt, another one is another request.
with candidates as (
  select
    r.chain, r.bucket, r.key, r.api, r.class, r.part_no, r.ts_start, r.ts_end, r.req_id, r.file,
    r.position, r.status, r.err, r.throttled, r.total_ms, r.exec_id, r.client_ip,
    case when r.err is null and coalesce(r.status, 200) < 400 then 1 else 0 end as ok
  from s3_requests r
  join s3_repeated c on r.chain = c.chain
  where r.ts_start is not null
),
followed as (
  select
    *,
    lag(ts_start) over (partition by chain order by ts_start, req_id, file, position) as before_start,
    lag(coalesce(ts_end, ts_start)) over (partition by chain order by ts_start, req_id, file, position)
      as before_end,
    lag(ok) over (partition by chain order by ts_start, req_id, file, position) as before_ok
  from candidates
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
)
select
  chain,
  sum(begins) over (
    partition by chain order by ts_start, req_id, file, position
    rows between unbounded preceding and current row) as segment,
  bucket, key, api, class, part_no, ts_start, ts_end, req_id, status, err, throttled, total_ms, ok,
  exec_id, client_ip,
  case when begins = 0 and before_end > ts_start then 1 else 0 end as overlapping
from cut
