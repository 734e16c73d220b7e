-- T4b throttled-seconds: Top 10 throttled seconds
-- columns: second time, requests count, writes count, reads count, throttled count,
-- ok_writes count, ok_reads count, top_prefix text, of_prefix count
with seconds as (
  select
    second,
    sum(requests) as requests,
    coalesce(sum(requests) filter (where class in ('W', 'D')), 0) as writes,
    coalesce(sum(requests) filter (where class in ('R', 'L')), 0) as reads,
    sum(throttled) as throttled,
    coalesce(sum(requests - throttled) filter (where class in ('W', 'D')), 0) as ok_writes,
    coalesce(sum(requests - throttled) filter (where class in ('R', 'L')), 0) as ok_reads
  from s3_by_second
  group by second
),
ranked as (
  select *, row_number() over (order by throttled desc, second) as place
  from seconds
  where throttled > 0
),
top as (select * from ranked where place <= 10),
dirs as (
  select
    t.second, r.bucket, r.dir, cast(sum(r.requests) as bigint) as requests,
    row_number() over (partition by t.second order by sum(r.requests) desc, r.bucket, r.dir)
      as place
  from s3_cells r
  join top t on r.second = t.second
  where r.dir is not null
  group by 1, 2, 3
)
select
  t.second, cast(t.requests as bigint), cast(t.writes as bigint), cast(t.reads as bigint),
  cast(t.throttled as bigint), cast(t.ok_writes as bigint), cast(t.ok_reads as bigint),
  d.bucket || '/' || d.dir, d.requests
from top t
left join (select * from dirs where place = 1) d on t.second = d.second
order by t.place
