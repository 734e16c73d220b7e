-- load Writes, how many were throttled, and what S3 took meanwhile
-- columns: requests count, writes count, throttled count, throttled_writes count,
--   seconds count, throttled_seconds count, peak rate, peak_writes rate,
--   capacity_writes rate, capacity_reads rate
-- The capacity is the median of what S3 answered well in the seconds in which it throttled.
select
  cast(coalesce(sum(requests), 0) as bigint) as requests,
  cast(coalesce(sum(writes), 0) as bigint) as writes,
  cast(coalesce(sum(throttled), 0) as bigint) as throttled,
  cast(coalesce(sum(throttled_writes), 0) as bigint) as throttled_writes,
  count(*) as seconds,
  count(*) filter (where throttled > 0) as throttled_seconds,
  cast(max(requests) as double) as peak,
  cast(max(writes) as double) as peak_writes,
  percentile_cont(0.5) within group
    (order by case when throttled_writes > 0 then writes - throttled_writes end)
    as capacity_writes,
  percentile_cont(0.5) within group
    (order by case when throttled_reads > 0 then reads - throttled_reads end) as capacity_reads
from (
  select second,
    sum(requests) as requests,
    sum(throttled) as throttled,
    sum(case when class = 'W' then requests else 0 end) as writes,
    sum(case when class = 'W' then throttled else 0 end) as throttled_writes,
    sum(case when class in ('R', 'L') then requests else 0 end) as reads,
    sum(case when class in ('R', 'L') then throttled else 0 end) as throttled_reads
  from s3_by_second
  group by second
) by_second
