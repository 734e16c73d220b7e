-- T8 longest-retries: Top 20 retries, the longest
-- columns: first time, api text, waited_ms millis, attempts count, throttled count, key text,
-- part count, alike_of_500 count, overlapping count, served_ms millis, final_status count
-- Of the 500 longest; names in one directory that differ only in numbers and hexadecimal ids, and parts
-- of one upload, are one row, with the longest of them.
with longest as (
  select * from s3_chains order by waited_ms desc, first_start, chain, segment limit 500
),
objects as (
  select r.chain, min(r.api) as api, min(r.bucket || '/' || r.key) as object,
    min(r.part_no) as part_no,
    min(r.bucket || '/' || r.dir || translate(
      substr(r.key, length(r.dir) + 1), '0123456789abcdef', '################')) as shape
  from s3_requests r
  join (select distinct chain as wanted from longest) l on r.chain = l.wanted
  group by r.chain
),
named as (
  select
    c.first_start, r.api, r.object, r.part_no, c.attempts, c.throttled, c.overlapping,
    cast(c.waited_ms as double) as waited_ms, c.served_ms,
    coalesce(c.ok_status, c.worst_status) as final_status, c.chain, c.segment, r.shape
  from longest c
  join objects r on r.chain = c.chain
),
ranked as (
  select *,
    count(*) over (partition by api, shape) as alike,
    row_number() over (
      partition by api, shape order by waited_ms desc, first_start, chain, segment) as place
  from named
)
select
  first_start, api, waited_ms, attempts, throttled, object, part_no, alike, overlapping, served_ms,
  final_status
from ranked
where place = 1
order by waited_ms desc, first_start, chain, segment
limit 20
