-- T7 slowest-requests: Slowest requests
-- columns: started time, api text, key text, bytes bytes, total_ms millis, first_byte_ms millis,
-- status count, client text, request_id text, next_attempt time
with slowest as (
  select
    ts_start, api, bucket, key, bytes_in, bytes_out, total_us, total_ms, ttfb_ms, status,
    client_ip, exec_id, req_id, chain, file, position
  from s3_requests
  where total_us is not null
  order by total_us desc, ts_start, file, position
  limit 20
),
followed as (
  select s.file, s.position, min(a.ts_start) as next_start
  from slowest s
  join s3_requests a on a.chain = s.chain and a.ts_start > s.ts_start
  where a.class = 'W' and unix_seconds(a.ts_start) - unix_seconds(s.ts_start) <= 120
  group by s.file, s.position
)
select
  s.ts_start, s.api, s.bucket || '/' || s.key,
  greatest(coalesce(s.bytes_in, 0), coalesce(s.bytes_out, 0)),
  s.total_ms, s.ttfb_ms, s.status, coalesce(s.client_ip, s.exec_id), s.req_id, f.next_start
from slowest s
left join followed f on f.file = s.file and f.position = s.position
order by s.total_us desc, s.ts_start, s.file, s.position
