-- T17 errors: Errors
-- columns: status count, error text, api text, requests count, first time, last time, example_key text
with errors as (
  select
    status, err, api, cast(sum(requests) as bigint) as requests, min(first_start) as first_start,
    max(last_start) as last_start, min(example) as example
  from s3_cells
  where err is not null or status >= 400
  group by 1, 2, 3
  order by 4 desc, 1, 2, 3
  limit 1000
),
examples as (
  select r.chain, min(r.bucket || '/' || r.key) as object
  from s3_requests r
  join (select distinct example from errors) e on r.chain = e.example
  group by r.chain
)
select e.status, e.err, e.api, e.requests, e.first_start, e.last_start, x.object
from errors e
left join examples x on x.chain = e.example
order by e.requests desc, e.status, e.err, e.api
