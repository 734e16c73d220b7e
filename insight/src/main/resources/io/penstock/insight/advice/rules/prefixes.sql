-- prefixes Directories with throttled requests
-- columns: bucket text, dir text, requests count, throttled count
select bucket, coalesce(dir, '') as dir, count(*) as requests,
  count(*) filter (where throttled) as throttled
from s3_requests
group by 1, 2
having count(*) filter (where throttled) > 0
order by throttled desc, bucket, dir
limit 5000
