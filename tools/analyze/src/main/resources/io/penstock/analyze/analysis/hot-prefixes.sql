-- T10 hot-prefixes: Top 20 prefixes
-- columns: prefix text, requests count, throttled count, throttled_percent percent,
-- of_all_throttles percent, peak_rps count, capacity_rps rate, bytes bytes
with hottest as (
  select *, row_number() over (order by throttled desc, requests desc, bucket, dir) as place,
    sum(throttled) over () as all_throttled
  from s3_by_dir
),
seconds as (
  select
    h.place, r.second, cast(sum(r.requests) as bigint) as requests,
    cast(coalesce(sum(r.requests) filter (where r.throttled), 0) as bigint) as throttled
  from s3_cells r
  join hottest h on r.bucket = h.bucket and r.dir = h.dir
  where h.place <= 20
  group by 1, 2
),
rates as (
  select
    place,
    max(requests) as peak,
    percentile_cont(0.5) within group (
      order by case when throttled > 0 then cast(requests - throttled as double) end) as capacity
  from seconds
  group by place
)
select
  h.bucket || '/' || h.dir, h.requests, h.throttled, 100.0 * h.throttled / h.requests,
  case when h.all_throttled > 0 then 100.0 * h.throttled / h.all_throttled end,
  r.peak, r.capacity,
  coalesce(h.bytes_in, 0) + coalesce(h.bytes_out, 0)
from hottest h
left join rates r on h.place = r.place
where h.place <= 20
order by h.place
