-- Requests by executor and duration, in 32nds of a doubling; step is null where no duration is known.
select
  coalesce(exec_id, client_ip, 'unknown') as executor,
  case when total_ms is not null
    then cast(floor(log2(greatest(total_ms, 1)) * 32 + 1e-9) as bigint) end as step,
  min(client_ip) as ip,
  count(*) as requests,
  count(*) filter (where throttled) as throttled,
  count(*) filter (where total_ms > 1000) as slow,
  cast(sum(coalesce(bytes_in, 0) + coalesce(bytes_out, 0)) as bigint) as bytes
from s3_requests
group by 1, 2
