-- How long requests took, by API, and by API and size; size_class is null for all sizes.
with sized as (
  select
    api,
    class,
    total_ms,
    case
      when greatest(coalesce(bytes_in, 0), coalesce(bytes_out, 0)) < 524288 then '1 < 512 KiB'
      when greatest(coalesce(bytes_in, 0), coalesce(bytes_out, 0)) < 8388608 then '2 < 8 MiB'
      when greatest(coalesce(bytes_in, 0), coalesce(bytes_out, 0)) < 134217728 then '3 < 128 MiB'
      else '4 >= 128 MiB'
    end as size_class
  from s3_requests
  where total_ms is not null
)
select
  api,
  max(class) as class,
  size_class,
  count(*) as requests,
  count(*) filter (where total_ms > 1000) as over_1s,
  count(*) filter (where total_ms > 5000) as over_5s,
  count(*) filter (where total_ms > 10000) as over_10s,
  count(*) filter (where total_ms > 30000) as over_30s,
  count(*) filter (where total_ms > 60000) as over_60s,
  percentile_cont(0.25) within group (order by total_ms) as p25_ms,
  percentile_cont(0.5) within group (order by total_ms) as p50_ms,
  percentile_cont(0.95) within group (order by total_ms) as p95_ms,
  percentile_cont(0.99) within group (order by total_ms) as p99_ms,
  percentile_cont(0.999) within group (order by total_ms) as p999_ms,
  max(total_ms) as max_ms
from sized
group by grouping sets ((api), (api, size_class))
