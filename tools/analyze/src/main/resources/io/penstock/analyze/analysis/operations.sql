-- T2 operations: Requests by operation
-- columns: api text, class text, requests count, share percent, throttled count,
-- throttled_percent percent, other_errors count, attempts_per_request number, bytes bytes,
-- p50_ms millis, p95_ms millis, p99_ms millis
select
  s.api, s.class, s.requests, 100.0 * s.requests / s.all_requests, s.throttled,
  100.0 * s.throttled / s.requests, s.failed - s.throttled,
  case when s.requests > s.retryable
    then cast(s.requests as double) / (s.requests - s.retryable) end,
  s.bytes, t.p50_ms, t.p95_ms, t.p99_ms
from (
  select
    api,
    max(class) as class,
    cast(sum(requests) as bigint) as requests,
    cast(sum(throttled) as bigint) as throttled,
    cast(sum(failed) as bigint) as failed,
    cast(sum(retryable) as bigint) as retryable,
    cast(sum(coalesce(bytes_in, 0) + coalesce(bytes_out, 0)) as bigint) as bytes,
    sum(sum(requests)) over () as all_requests
  from s3_by_second
  group by api
) s
left join (select * from s3_tail where size_class is null) t on s.api = t.api
order by s.requests desc, s.api
