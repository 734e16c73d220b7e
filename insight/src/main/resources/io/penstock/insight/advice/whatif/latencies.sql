-- latencies How long answered requests took, in eighths of a doubling
-- columns: api text, size_class text, over_s count, step count, requests count,
--   total_s seconds
-- over_s keeps the what-ifs exact: no step spans one of their limits.
-- The billionth keeps exact powers of two where they belong: engines compute log2 with an error.
select api, size_class, over_s, step, count(*) as requests, sum(total_ms) / 1000 as total_s
from (
  select api, total_ms,
    case when size is null then 'unknown' when size < 524288 then '<512 KiB'
      when size < 8388608 then '<8 MiB' when size < 134217728 then '<128 MiB'
      else '>=128 MiB' end as size_class,
    case when total_ms > 60000 then 60 when total_ms > 30000 then 30
      when total_ms > 15000 then 15 when total_ms > 10000 then 10
      when total_ms > 5000 then 5 when total_ms > 4000 then 4 when total_ms > 2000 then 2
      when total_ms > 1000 then 1 else 0 end as over_s,
    cast(floor(log2(greatest(total_ms, 1)) * 8 + 1e-9) as bigint) as step
  from (
    select api, total_ms, case when class = 'W' then bytes_in else bytes_out end as size
    from s3_requests
    where total_ms is not null and class in ('W', 'R') and not coalesce(throttled, false)
  ) measured
) stepped
group by api, size_class, over_s, step
order by api, size_class, step, over_s
