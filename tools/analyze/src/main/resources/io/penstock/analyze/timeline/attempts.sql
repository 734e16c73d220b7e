-- attempts attempts-at-one-object: The attempts at one object
-- columns: started time, ended time, took_ms millis, api text, part_no count, attempt count,
-- status count, answer text, sent bytes, got bytes, host text, request_id text
-- Attempts are of one request by the rule of s3_chains: until one succeeds before the next begins, or
-- for 120 s. The rule is here again because that table has no reads that succeeded. Where the log does not tell which part or range was asked for, nothing tells requests apart.
with attempts as (
  select
    r.ts_start, coalesce(r.ts_end, r.ts_start) as ts_end,
    case
      when r.source in ('client_log', 'request_log') then coalesce(r.ts_end, r.ts_start)
      else greatest(r.ts_start, coalesce(r.ts_end, r.ts_start) - interval '1' second)
    end as busy_until,
    r.total_ms, r.api, r.part_no, r.status,
    case
      when r.cut is not null then 'cut: ' || r.cut
      when r.err is not null then r.err
      when r.status is null then 'none'
      else 'ok'
    end as answer,
    r.bytes_in, r.bytes_out, coalesce(r.client_ip, r.exec_id) as host,
    coalesce(r.req_id, r.inv_id) as request_id, r.chain, r.file, r.position,
    case when r.err is null and coalesce(r.status, 200) < 400 then 1 else 0 end as ok,
    case
      when r.class = 'R' and r.range_start is null then 0
      when r.api = 'UploadPart' and r.part_no is null then 0
      else 1
    end as known
  from s3_requests r
  join timeline_object o on r.bucket = o.bucket and r.key = o.key
  where r.ts_start is not null and (o.upload is null or r.upload_id = o.upload)
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
  ts_start, ts_end, total_ms, api, part_no,
  case
    when known = 1
    then row_number() over (partition by chain, segment order by ts_start, ok, file, position)
  end,
  status, answer, bytes_in, bytes_out, host, request_id
from segments
order by ts_start, request_id, file, position
limit 1001
