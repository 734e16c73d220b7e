-- load Writes, how many were throttled, and what S3 took meanwhile
-- columns: requests count, writes count, throttled count, throttled_writes count,
--   seconds count, throttled_seconds count, peak rate, peak_writes rate,
--   capacity_writes rate, capacity_reads rate, reads count, throttled_reads count, peak_reads rate,
--   deletes count, throttled_deletes count, peak_deletes rate, capacity_deletes rate
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
    (order by case when throttled_reads > 0 then reads - throttled_reads end) as capacity_reads,
  cast(coalesce(sum(reads), 0) as bigint) as reads,
  cast(coalesce(sum(throttled_reads), 0) as bigint) as throttled_reads,
  cast(max(reads) as double) as peak_reads,
  cast(coalesce(sum(deletes), 0) as bigint) as deletes,
  cast(coalesce(sum(throttled_deletes), 0) as bigint) as throttled_deletes,
  cast(max(deletes) as double) as peak_deletes,
  percentile_cont(0.5) within group
    (order by case when throttled_deletes > 0 then deletes - throttled_deletes end)
    as capacity_deletes
from (
  select second,
    sum(requests) as requests,
    sum(throttled) as throttled,
    sum(case when class = 'W' then requests else 0 end) as writes,
    sum(case when class = 'W' then throttled else 0 end) as throttled_writes,
    sum(case when class in ('R', 'L') then requests else 0 end) as reads,
    sum(case when class in ('R', 'L') then throttled else 0 end) as throttled_reads,
    sum(case when class = 'D' then requests else 0 end) as deletes,
    sum(case when class = 'D' then throttled else 0 end) as throttled_deletes
  from s3_by_second
  group by second
) by_second
