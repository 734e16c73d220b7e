-- T8 longest-retries: Longest retries
-- columns: first time, api text, key text, part count, attempts count, throttled count,
-- overlapping count, waited_ms millis, served_ms millis, final_status count
with longest as (
  select * from s3_chains order by waited_ms desc, first_start, chain, segment limit 20
),
objects as (
  select r.chain, min(r.api) as api, min(r.bucket || '/' || r.key) as object,
    min(r.part_no) as part_no
  from s3_requests r
  join (select distinct chain as wanted from longest) l on r.chain = l.wanted
  group by r.chain
)
select
  c.first_start, r.api, r.object, r.part_no, c.attempts, c.throttled, c.overlapping,
  cast(c.waited_ms as double), c.served_ms, coalesce(c.ok_status, c.worst_status)
from longest c
join objects r on r.chain = c.chain
order by c.waited_ms desc, c.first_start, c.chain, c.segment
