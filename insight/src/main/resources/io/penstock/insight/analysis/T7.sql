-- T7 Slowest requests
-- columns: started time, api text, key text, bytes bytes, total_ms millis, first_byte_ms millis,
-- status count, client text, request_id text, next_attempt time
with slowest as (
  select *
  from s3_requests
  where total_ms is not null
  order by total_ms desc, ts_start, req_id
  limit 20
)
select
  s.ts_start, s.api, concat(s.bucket, '/', s.key),
  greatest(coalesce(s.bytes_in, 0), coalesce(s.bytes_out, 0)),
  s.total_ms, s.ttfb_ms, s.status, coalesce(s.client_ip, s.exec_id), s.req_id,
  (select min(a.ts_start) from s3_attempts a where a.chain = s.chain and a.ts_start > s.ts_start)
from slowest s
order by s.total_ms desc, s.ts_start, s.req_id
