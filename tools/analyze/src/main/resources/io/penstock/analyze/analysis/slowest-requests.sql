-- T7 slowest-requests: Top 20 requests, the slowest
-- columns: started time, api text, total_ms millis, status count, key text, alike_of_500 count, bytes bytes,
-- first_byte_ms millis, client text, request_id text, next_attempt time
-- Of the 500 slowest; names in one directory that differ only in numbers and hexadecimal ids are one
-- row, with the slowest of them. What the slowest took is found first, from one column.
with long as (
  select total_us from s3_requests where total_us is not null order by total_us desc limit 500
),
slowest as (
  select
    ts_start, api, bucket, key, bytes_in, bytes_out, total_us, total_ms, ttfb_ms, status,
    client_ip, exec_id, req_id, chain, file, position, dir
  from s3_requests
  where total_us >= (select min(total_us) from long)
  order by total_us desc, ts_start, file, position
  limit 500
),
shaped as (
  select *,
    dir || translate(substr(key, length(dir) + 1), '0123456789abcdef', '################') as shape
  from slowest
),
ranked as (
  select *,
    count(*) over (partition by api, bucket, shape) as alike,
    row_number() over (
      partition by api, bucket, shape order by total_us desc, ts_start, file, position) as place
  from shaped
),
shown as (
  select * from ranked where place = 1 order by total_us desc, ts_start, file, position limit 20
),
followed as (
  select s.file, s.position, min(a.ts_start) as next_start
  from shown s
  join s3_requests a on a.chain = s.chain and a.ts_start > s.ts_start
  where a.class = 'W' and unix_seconds(a.ts_start) - unix_seconds(s.ts_start) <= 120
  group by s.file, s.position
)
select
  s.ts_start, s.api, s.total_ms, s.status, s.bucket || '/' || s.key, s.alike,
  greatest(coalesce(s.bytes_in, 0), coalesce(s.bytes_out, 0)), s.ttfb_ms, coalesce(s.client_ip, s.exec_id), s.req_id, f.next_start
from shown s
left join followed f on f.file = s.file and f.position = s.position
order by s.total_us desc, s.ts_start, s.file, s.position
