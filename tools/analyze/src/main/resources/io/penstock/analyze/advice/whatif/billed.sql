-- billed Requests that are billed: all but those that S3 answered with 5xx
-- columns: class text, requests count, billed count, throttled count
select class,
  cast(sum(requests) as bigint) as requests,
  cast(sum(requests - throttled - unavailable) as bigint) as billed,
  cast(sum(throttled) as bigint) as throttled
from s3_by_second
group by class
order by class
