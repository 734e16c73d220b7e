-- T6 tail-latency: Tail of the latency
-- columns: api text, size text, requests count, over_1s count, over_5s count, over_10s count,
-- over_30s count, over_60s count, one_in_over_10s count, p25_ms millis, p50_ms millis,
-- p95_ms millis, p99_ms millis, p999_ms millis, max_ms millis
select
  api,
  case when size_class is null then 'all sizes' when size_class = 'unknown' then 'no body'
    else size_class end,
  requests, over_1s, over_5s, over_10s, over_30s, over_60s,
  case when over_10s > 0 then cast(round(cast(requests as double) / over_10s) as bigint) end,
  p25_ms, p50_ms, p95_ms, p99_ms, p999_ms, max_ms
from (
  select *, max(all_sizes) over (partition by api) as of_api
  from (
    select *, case when size_class is null then requests end as all_sizes from s3_tail
  ) marked
) tails
where size_class is null or requests < of_api
order by of_api desc, api,
  case when size_class is null then 0 when size_class = 'unknown' then 1
    when size_class = '<512 KiB' then 2 when size_class = '<8 MiB' then 3
    when size_class = '<128 MiB' then 4 else 5 end
