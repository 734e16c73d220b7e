-- Requests by executor and duration, in 32nds of a doubling; step is null where no duration is known,
-- and for throttled answers, which come at once.
select
  coalesce(exec_id, client_ip, 'unknown') as executor,
  step,
  min(client_ip) as ip,
  cast(sum(requests) as bigint) as requests,
  cast(sum(throttled) as bigint) as throttled,
  cast(sum(slow) as bigint) as slow,
  cast(sum(coalesce(bytes_in, 0) + coalesce(bytes_out, 0)) as bigint) as bytes
from (
  select
    exec_id, client_ip,
    case when total_ms is not null and not throttled
      then cast(floor(log2(greatest(total_ms, 1)) * 32 + 1e-9) as bigint) end as step,
    count(*) as requests,
    count(*) filter (where throttled) as throttled,
    count(*) filter (where total_ms > 1000) as slow,
    sum(bytes_in) as bytes_in,
    sum(bytes_out) as bytes_out
  from s3_requests
  group by 1, 2, 3
) steps
group by 1, 2
