-- T5 request-rates: Rates
-- columns: of text, limit_rps count, peak_rps count, peak_at time, p99_rps count, mean_rps rate,
-- seconds_over_limit count, seconds_throttled count, effective_capacity_rps rate
with span as (
  select (unix_millis(max(second)) - unix_millis(min(second))) / 1000 + 1 as seconds
  from s3_by_second
),
kinds as (
  select 'all' as of_what, 0 as cap, 1 as place, second, sum(requests) as requests, sum(throttled) as throttled
  from s3_by_second group by second
  union all
  select 'writes', 3500, 2, second, sum(requests), sum(throttled)
  from s3_by_second where class in ('W', 'D') group by second
  union all
  select 'reads', 5500, 3, second, sum(requests), sum(throttled)
  from s3_by_second where class in ('R', 'L') group by second
),
ranked as (
  select
    *,
    row_number() over (partition by of_what order by requests desc, second) as rank_down
  from kinds
)
select
  of_what,
  nullif(max(cap), 0),
  cast(max(requests) as bigint),
  min(second) filter (where rank_down = 1),
  cast(coalesce(
    max(requests) filter (where rank_down >= greatest(1, ceil(seconds * 0.01))), 0) as bigint),
  cast(sum(requests) as double) / max(seconds),
  count(*) filter (where cap > 0 and requests > cap),
  count(*) filter (where throttled > 0),
  percentile_cont(0.5) within group (
    order by case when throttled > 0 then cast(requests - throttled as double) end)
from ranked, span
group by of_what
order by min(place)
