-- How large and how fast transfers of a MiB and more were, in sixteenths of a doubling.
select
  api,
  cast(floor(log2(size) * 16 + 1e-9) as bigint) as size_step,
  cast(floor(log2(size * 1000.0 / greatest(total_ms, 1)) * 16 + 1e-9) as bigint) as speed_step,
  case when size < 8388608 then '<8 MiB' when size < 134217728 then '<128 MiB'
    else '>=128 MiB' end as size_class,
  count(*) as requests
from (
  select api, total_ms, case when class = 'W' then bytes_in else bytes_out end as size
  from s3_requests
  where total_ms is not null and class in ('W', 'R') and not coalesce(throttled, false)
) sized
where size >= 1048576
group by 1, 2, 3, 4
