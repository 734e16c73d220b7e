-- tail How long requests took, by API and size
-- columns: api text, size_class text, requests count, p50_ms millis, p99_ms millis,
--   max_ms millis, large_size bytes, slow_bandwidth rate
-- large_size and slow_bandwidth (bytes a second) are those of one in twenty transfers of a MiB
-- or more: what a timeout must leave time for.
select api, size_class, count(*) as requests,
  percentile_cont(0.5) within group (order by total_ms) as p50_ms,
  percentile_cont(0.99) within group (order by total_ms) as p99_ms,
  max(total_ms) as max_ms,
  cast(percentile_cont(0.95) within group (order by transfer) as bigint) as large_size,
  percentile_cont(0.05) within group (order by transfer * 1000 / greatest(total_ms, 1))
    as slow_bandwidth
from (
  select api, total_ms,
    case when size >= 1048576 then size end as transfer,
    case when size is null then 'unknown' when size < 524288 then '<512 KiB'
      when size < 8388608 then '<8 MiB' when size < 134217728 then '<128 MiB'
      else '>=128 MiB' end as size_class
  from (
    select api, total_ms, case when class = 'W' then bytes_in else bytes_out end as size
    from s3_requests
    where total_ms is not null and class in ('W', 'R') and not coalesce(throttled, false)
  ) sized
) classed
group by api, size_class
order by requests desc
