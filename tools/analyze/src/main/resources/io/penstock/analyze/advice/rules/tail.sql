-- tail How long requests took, by API and size
-- columns: api text, size_class text, requests count, p50_ms millis, p99_ms millis,
--   max_ms millis, large_size bytes, slow_bandwidth rate
-- large_size and slow_bandwidth (bytes a second) are those of one in twenty transfers of a MiB
-- or more: what a timeout must leave time for.
with durations as (
  select api, size_class, ms, max(max_ms) as max_ms, sum(requests) as requests
  from s3_durations
  where class in ('W', 'R') and not throttled
  group by 1, 2, 3
), ranked as (
  select *,
    sum(requests) over (partition by api, size_class order by ms) as so_far,
    sum(requests) over (partition by api, size_class) as of_all
  from durations
), quantiles as (
  select api, size_class, cast(sum(requests) as bigint) as requests,
    min(ms) filter (where so_far >= 0.5 * of_all) as p50_ms,
    min(ms) filter (where so_far >= 0.99 * of_all) as p99_ms,
    max(max_ms) as max_ms
  from ranked
  group by api, size_class
), sizes as (
  select api, size_class, size_step, sum(requests) as requests
  from s3_transfers
  group by 1, 2, 3
), large as (
  select api, size_class, min(size_step) filter (where so_far >= 0.95 * of_all) as step
  from (
    select *, sum(requests) over (partition by api, size_class order by size_step) as so_far,
      sum(requests) over (partition by api, size_class) as of_all
    from sizes
  ) by_size
  group by api, size_class
), speeds as (
  select api, size_class, speed_step, sum(requests) as requests
  from s3_transfers
  group by 1, 2, 3
), slow as (
  select api, size_class, min(speed_step) filter (where so_far >= 0.05 * of_all) as step
  from (
    select *, sum(requests) over (partition by api, size_class order by speed_step) as so_far,
      sum(requests) over (partition by api, size_class) as of_all
    from speeds
  ) by_speed
  group by api, size_class
)
select q.api, q.size_class, q.requests, q.p50_ms, q.p99_ms, q.max_ms,
  cast(round(pow(2, (l.step + 1) / 16.0)) as bigint) as large_size,
  pow(2, s.step / 16.0) as slow_bandwidth
from quantiles q
left join large l on q.api = l.api and q.size_class = l.size_class
left join slow s on q.api = s.api and q.size_class = s.size_class
order by q.requests desc, q.api, q.size_class
