-- P7 attempts-at-one-object: The attempts at one object
-- columns: key text, started time, ended time, api text, part_no count, attempt count, status count,
-- err text
-- The object whose retries tell most: one that was tried again while the first attempt went on,
-- otherwise the one that waited longest.
with chosen as (
  select chain, first_start, last_end
  from s3_chains
  order by
    case when overlapping > 0 and ok = 1 then 0 else 1 end,
    case when overlapping > 0 then attempts else 0 end,
    case when overlapping > 0 then served_ms else 0 end desc,
    waited_ms desc, first_start, chain, segment
  limit 1
),
telling as (
  select min(r.bucket) as bucket, min(r.key) as key, min(c.first_start) as first_start,
    max(c.last_end) as last_end
  from chosen c
  join s3_requests r on r.chain = c.chain
)
select
  r.bucket || '/' || r.key, r.ts_start, coalesce(r.ts_end, r.ts_start), r.api, r.part_no,
  row_number() over (partition by r.chain order by r.ts_start, r.req_id, r.file, r.position),
  r.status, r.err
from s3_requests r
join telling t on r.bucket = t.bucket and r.key = t.key
where unix_seconds(r.ts_start) >= unix_seconds(t.first_start) - 120
  and unix_seconds(r.ts_start) <= unix_seconds(t.last_end) + 120
order by r.ts_start, r.req_id, r.file, r.position
limit 60
