-- T11 executors: Executors
-- columns: executor text, host text, requests count, throttled count, bytes bytes, p95_ms millis,
-- over_1s count, of_all_slow percent, gc_percent percent
with ranked as (
  select
    *,
    sum(case when step is not null then requests end) over (partition by executor order by step)
      as so_far,
    sum(case when step is not null then requests end) over (partition by executor) as of_all
  from s3_clients
),
executors as (
  select
    executor,
    min(ip) as ip,
    cast(sum(requests) as bigint) as requests,
    cast(sum(throttled) as bigint) as throttled,
    cast(sum(bytes) as bigint) as bytes,
    pow(2, (min(step) filter (where so_far >= 0.95 * of_all) + 0.5) / 32) as p95_ms,
    cast(sum(slow) as bigint) as slow
  from ranked
  group by executor
),
shares as (
  select *, sum(slow) over () as all_slow, row_number() over (order by requests desc, executor) as place
  from executors
),
hosts as (
  select host, sum(run_ms) as run_ms, sum(gc_ms) as gc_ms
  from spark_executors
  group by host
)
select
  s.executor, s.ip, s.requests, s.throttled, s.bytes, s.p95_ms, s.slow,
  case when s.all_slow > 0 then 100.0 * s.slow / s.all_slow end,
  case when h.run_ms > 0 then 100.0 * h.gc_ms / h.run_ms end
from shares s
left join hosts h on h.host = s.ip
where s.place <= 5000
order by s.place
