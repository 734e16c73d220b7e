-- latencies How long answered requests took, in eighths of a doubling
-- columns: api text, size_class text, over_s count, step count, requests count,
--   total_s seconds
-- The billionth keeps exact powers of two where they belong: engines compute log2 with an error.
-- over_s keeps the what-ifs exact: no step spans one of their limits.
select api, size_class, over_s, cast(floor(log2(greatest(ms, 1)) * 8 + 1e-9) as bigint) as step,
  cast(sum(requests) as bigint) as requests, sum(total_ms) / 1000 as total_s
from s3_durations
where class in ('W', 'R') and not throttled
group by 1, 2, 3, 4
order by api, size_class, step, over_s
