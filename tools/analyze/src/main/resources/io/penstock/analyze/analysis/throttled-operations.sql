-- T3 throttled-operations: Throttled by operation
-- columns: api text, throttled count, share percent, throttled_percent percent, first time,
-- last time, busiest_second time, in_busiest count
with seconds as (
  select api, second, sum(requests) as requests, sum(throttled) as throttled
  from s3_by_second
  group by 1, 2
),
ranked as (
  select *, row_number() over (partition by api order by throttled desc, second) as place
  from seconds
)
select
  api,
  cast(sum(throttled) as bigint),
  100.0 * sum(throttled) / sum(sum(throttled)) over (),
  100.0 * sum(throttled) / sum(requests),
  min(second) filter (where throttled > 0),
  max(second) filter (where throttled > 0),
  min(second) filter (where place = 1),
  cast(max(throttled) as bigint)
from ranked
group by api
having sum(throttled) > 0
order by 2 desc, api
