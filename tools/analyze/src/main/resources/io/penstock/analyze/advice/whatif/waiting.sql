-- waiting What requests waited for, in time of the threads that waited
-- columns: cause text, requests count, waited_ms millis
-- A thread that waits for a request holds a core of its task, unless the task computes meanwhile. So
-- these are upper limits. A straggler is a request of over a second and over the p99 of its kind;
-- what it took beyond the p99 counts.
select cause, requests, waited_ms
from (
  select 'throttled' as cause, count(*) as requests,
      cast(coalesce(sum(waited_ms), 0) as double) as waited_ms
  from s3_chains
  where throttled > 0
  union all
  select 'failed', count(*), cast(coalesce(sum(waited_ms), 0) as double)
  from s3_chains
  where throttled = 0 and failed > 0
  union all
  select 'permits', count(*), cast(coalesce(sum(wait_ms), 0) as double)
  from s3_waits
  union all
  select
    'stragglers',
    cast(coalesce(sum(d.requests), 0) as bigint),
    cast(coalesce(sum(d.requests * (d.ms - t.p99_ms)), 0) as double)
  from s3_durations d
  join s3_tail t on d.api = t.api and d.size_class = t.size_class
  where d.ms > t.p99_ms and d.over_s >= 1 and not d.throttled
) causes
order by cause
