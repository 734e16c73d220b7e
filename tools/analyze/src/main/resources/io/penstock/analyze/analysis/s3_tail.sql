-- How long requests took, by API, and by API and size; size_class is null for all sizes. Answers
-- that throttle are quick and no service, so they do not count. A quantile is the shortest duration that so many requests did not exceed.
with levels as (
  select api, class, cast(null as string) as size_class, over_s, ms, max_ms, requests
  from s3_durations
  where not throttled
  union all
  select api, class, size_class, over_s, ms, max_ms, requests from s3_durations where not throttled
),
durations as (
  select
    api, size_class, ms, max(class) as class, max(max_ms) as max_ms,
    cast(sum(requests) as bigint) as requests,
    cast(sum(case when over_s >= 1 then requests else 0 end) as bigint) as over_1s,
    cast(sum(case when over_s >= 5 then requests else 0 end) as bigint) as over_5s,
    cast(sum(case when over_s >= 10 then requests else 0 end) as bigint) as over_10s,
    cast(sum(case when over_s >= 30 then requests else 0 end) as bigint) as over_30s,
    cast(sum(case when over_s >= 60 then requests else 0 end) as bigint) as over_60s
  from levels
  group by 1, 2, 3
),
ranked as (
  select
    *,
    sum(requests) over (partition by api, size_class order by ms) as so_far,
    sum(requests) over (partition by api, size_class) as of_all
  from durations
)
select
  api,
  max(class) as class,
  size_class,
  cast(sum(requests) as bigint) as requests,
  cast(sum(over_1s) as bigint) as over_1s,
  cast(sum(over_5s) as bigint) as over_5s,
  cast(sum(over_10s) as bigint) as over_10s,
  cast(sum(over_30s) as bigint) as over_30s,
  cast(sum(over_60s) as bigint) as over_60s,
  min(ms) filter (where so_far >= 0.25 * of_all) as p25_ms,
  min(ms) filter (where so_far >= 0.5 * of_all) as p50_ms,
  min(ms) filter (where so_far >= 0.95 * of_all) as p95_ms,
  min(ms) filter (where so_far >= 0.99 * of_all) as p99_ms,
  min(ms) filter (where so_far >= 0.999 * of_all) as p999_ms,
  max(max_ms) as max_ms
from ranked
group by api, size_class
