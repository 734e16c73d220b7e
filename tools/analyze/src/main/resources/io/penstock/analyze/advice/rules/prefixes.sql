-- prefixes Directories with throttled requests
-- columns: bucket text, dir text, requests count, throttled count
select bucket, dir, requests, throttled
from s3_by_dir
where throttled > 0
order by throttled desc, bucket, dir
limit 100000
