-- T17 errors: Errors
-- columns: status count, error text, api text, requests count, first time, last time, example_key text
select
  status, err, api, count(*), min(ts_start), max(ts_start), min(bucket || '/' || key)
from s3_requests
where err is not null or status >= 400
group by 1, 2, 3
order by 4 desc, 1, 2, 3
limit 30
