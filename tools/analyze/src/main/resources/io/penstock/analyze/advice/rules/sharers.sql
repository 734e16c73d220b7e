-- sharers Who sent how much, and how much of it in seconds with throttled answers
-- columns: who text, requests count, throttled count, in_throttled_seconds count
with shares as (
  select second, who, requests, throttled
  from s3_by_who
), hot as (
  select second as hot_second from shares group by second having sum(throttled) > 0
)
select who,
  cast(sum(requests) as bigint) as requests,
  cast(sum(throttled) as bigint) as throttled,
  cast(sum(case when hot_second is null then 0 else requests end) as bigint)
    as in_throttled_seconds
from shares left join hot on second = hot_second
group by who
order by in_throttled_seconds desc, requests desc, who
limit 100
