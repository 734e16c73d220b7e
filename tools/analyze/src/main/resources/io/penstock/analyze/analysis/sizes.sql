-- T13 sizes: Sizes
-- columns: what text, files count, bytes bytes, mean_bytes bytes, p10_bytes bytes, p50_bytes bytes,
-- p90_bytes bytes, under_10_mib percent, requests_per_file number
with sizes as (
  select
    'files written' as what, bytes, cast(sum(files) as bigint) as requests,
    sum(total_bytes) as total_bytes
  from s3_outputs
  where done = 1
  group by bytes
  union all
  select 'GetObject answers', bytes, cast(sum(requests) as bigint), sum(total_bytes)
  from s3_gets
  group by bytes
),
ranked as (
  select
    *,
    sum(case when bytes is not null then requests end) over (partition by what order by bytes)
      as so_far,
    sum(case when bytes is not null then requests end) over (partition by what) as of_all
  from sizes
)
select
  what,
  cast(sum(requests) as bigint),
  cast(sum(total_bytes) as bigint),
  cast(round(sum(total_bytes) / max(of_all)) as bigint),
  min(bytes) filter (where so_far >= 0.1 * of_all),
  min(bytes) filter (where so_far >= 0.5 * of_all),
  min(bytes) filter (where so_far >= 0.9 * of_all),
  100.0 * sum(case when bytes < 10485760 then requests else 0 end) / max(of_all),
  case when what = 'files written'
    then (select cast(sum(requests - throttled) as double) from s3_by_second where class = 'W')
      / sum(requests)
  end
from ranked
group by what
order by what desc
