-- How many requests took how long, by API and size. A duration is kept to four digits, which is exact
-- below ten seconds in logs of whole milliseconds; over_s, the highest of its limits in seconds that
-- a request exceeded, is exact.
select
  api,
  class,
  throttled,
  size_class,
  over_s,
  floor(total_us / unit + 0.5) * unit / 1000.0 as ms,
  count(*) as requests,
  sum(cast(total_us as double)) / 1000 as total_ms,
  max(total_us) / 1000.0 as max_ms
from (
  select
    api,
    class,
    coalesce(throttled, false) as throttled,
    total_us,
    case
      when size is null then 'unknown'
      when size < 524288 then '<512 KiB'
      when size < 8388608 then '<8 MiB'
      when size < 134217728 then '<128 MiB'
      else '>=128 MiB'
    end as size_class,
    case
      when total_us > 300000000 then 300
      when total_us > 120000000 then 120
      when total_us > 60000000 then 60
      when total_us > 30000000 then 30
      when total_us > 15000000 then 15
      when total_us > 10000000 then 10
      when total_us > 5000000 then 5
      when total_us > 4000000 then 4
      when total_us > 2000000 then 2
      when total_us > 1000000 then 1
      else 0
    end as over_s,
    case
      when total_us < 10000 then 1.0
      when total_us < 100000 then 10.0
      when total_us < 1000000 then 100.0
      when total_us < 10000000 then 1000.0
      when total_us < 100000000 then 10000.0
      else 100000.0
    end as unit
  from (
    select
      api, class, throttled, total_us,
      case when class = 'W' then bytes_in when class = 'R' then bytes_out end as size
    from s3_requests
    where total_us is not null
  ) sized
) classed
group by 1, 2, 3, 4, 5, 6
