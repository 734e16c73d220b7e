-- Requests by directory.
select
  bucket,
  dir,
  count(*) as requests,
  count(*) filter (where throttled) as throttled,
  count(*) filter (where class = 'W') as writes,
  cast(sum(bytes_in) as bigint) as bytes_in,
  cast(sum(bytes_out) as bigint) as bytes_out
from s3_requests
where dir is not null
group by 1, 2
