-- Attempts of the chains that may hold more than one, for what is computed from them: joined here once,
-- since a join and a grouping of millions of chains at a time would not fit in memory.
select
  r.chain, r.ts_start, coalesce(r.ts_end, r.ts_start) as ts_end, r.source, r.file, r.position,
  r.status, r.total_ms,
  case when r.throttled then 1 else 0 end as throttled,
  case when r.err is null and coalesce(r.status, 200) < 400 then 1 else 0 end as ok
from s3_requests r
join s3_repeated c on r.chain = c.chain
where r.ts_start is not null
