-- T11 Executors
-- columns: executor text, host text, requests count, throttled count, bytes bytes, p95_ms millis,
-- over_1s count, of_all_slow percent, gc_percent percent
with executors as (
  select
    coalesce(exec_id, client_ip, 'unknown') as executor,
    min(client_ip) as ip,
    count(*) as requests,
    count(*) filter (where throttled) as throttled,
    cast(sum(coalesce(bytes_in, 0) + coalesce(bytes_out, 0)) as bigint) as bytes,
    percentile_cont(0.95) within group (order by total_ms) as p95_ms,
    count(*) filter (where total_ms > 1000) as slow
  from s3_requests
  group by 1
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
where s.place <= 50
order by s.place
